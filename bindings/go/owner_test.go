package standin_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"standin"
)

// TestOwners expects what the npm package tells the owners of tables in several encodings, as testdata/record.mjs has
// recorded it.
func TestOwners(t *testing.T) {
	core := open(t)
	var cases []struct {
		Base64        []byte
		MaxCategories int
		Proposal      standin.Proposal
		Schema        json.RawMessage
		Check         standin.TableCheck
	}
	if err := json.Unmarshal(must(os.ReadFile("testdata/owners.json")), &cases); err != nil {
		t.Fatal(err)
	}
	for _, one := range cases {
		reader := func() io.Reader { return iotest.HalfReader(bytes.NewReader(one.Base64)) }
		options := standin.Options{"maxCategories": one.MaxCategories}
		proposal := *must(core.NonPrivateProposal(background, reader(), options))
		var expected bytes.Buffer
		if err := json.Compact(&expected, one.Proposal.Descriptor); err != nil {
			t.Fatal(err)
		}
		one.Proposal.Descriptor = expected.Bytes()
		if !reflect.DeepEqual(proposal, one.Proposal) {
			t.Errorf("got %s, %q instead of %s", proposal.Descriptor, proposal.Notes, one.Proposal.Descriptor)
		}
		schema := must(core.ParseSchema(one.Schema))
		if check := must(standin.NonPrivateCheck(background, reader(), schema)); !reflect.DeepEqual(*check, one.Check) {
			t.Errorf("got %v instead of %v", *check, one.Check)
		}
		if !schema.IsDecoded || must(standin.ReadCSV(background, reader(), schema)).Columns[0] != "sex" {
			t.Errorf("%s is not read", schema.Encoding)
		}
	}
	_, err := core.NonPrivateProposal(background, strings.NewReader(""), nil)
	expectCode(t, err, "files/empty")
}
