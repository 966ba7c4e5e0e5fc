package standin_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"standin"
)

var background = context.Background()

// vector is a release from beginning to end, as the npm package makes it.
type vector struct {
	Name     string
	Schema   json.RawMessage
	CSV      string
	Plan     standin.Options
	Seed     int
	Rows     *int
	NoiseKey string
	Release  json.RawMessage
	Output   struct{ CSV string }
}

func (v vector) options() standin.Options {
	options := standin.Options{"seed": v.Seed}
	if v.Rows != nil {
		options["rows"] = *v.Rows
	}
	return options
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func vectors() []vector {
	var all []vector
	for _, path := range must(filepath.Glob("../../test/vectors/*.json")) {
		var one vector
		if err := json.Unmarshal(must(os.ReadFile(path)), &one); err != nil {
			panic(err)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		panic("There are no vectors.")
	}
	return all
}

func vectorNamed(name string) vector {
	for _, vector := range vectors() {
		if vector.Name == name {
			return vector
		}
	}
	panic("There is no vector " + name)
}

func open(t testing.TB) *standin.Core {
	core := must(standin.Open(background))
	t.Cleanup(func() {
		if err := core.Close(); err != nil {
			t.Error(err)
		}
	})
	return core
}

// begun reads a vector's schema, plan and table.
func begun(core *standin.Core, v vector) (*standin.Plan, *standin.Table) {
	schema := must(core.ParseSchema(v.Schema))
	return must(schema.Plan(v.Plan)), must(standin.ReadCSV(background, strings.NewReader(v.CSV), schema))
}

func written(t testing.TB, table *standin.Table) string {
	var text bytes.Buffer
	count := must(table.WriteTo(&text))
	if int(count) != text.Len() {
		t.Errorf("WriteTo counts %d of %d bytes", count, text.Len())
	}
	return text.String()
}

func expectCode(t testing.TB, err error, code string) {
	t.Helper()
	var refused *standin.Error
	if !errors.As(err, &refused) || refused.Code != code {
		t.Errorf("got %v instead of %s", err, code)
	}
}

// remake fails unless a core makes the bytes of a vector.
func remake(core *standin.Core, v vector) error {
	plan, table := begun(core, v)
	key := must(hex.DecodeString(v.NoiseKey))
	release, err := standin.Measure(background, table, plan, v.options(), standin.Run{UnsafeNoiseKey: key})
	if err != nil {
		return err
	}
	var expected bytes.Buffer
	if err := json.Compact(&expected, v.Release); err != nil {
		return err
	}
	if !bytes.Equal(release.JSON, expected.Bytes()) {
		return fmt.Errorf("%s: another release", v.Name)
	}
	if release.Guarantee != nil || release.NoGuarantee == "" {
		return fmt.Errorf("%s: a guarantee under a known key", v.Name)
	}
	made, err := standin.Resample(background, must(core.ParseRelease(release.JSON)), nil)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := made.Tables[0].WriteTo(&text); err != nil || text.String() != v.Output.CSV {
		return fmt.Errorf("%s: other rows (%v)", v.Name, err)
	}
	return errors.Join(made.Tables[0].Close(), table.Close(), plan.Close())
}
