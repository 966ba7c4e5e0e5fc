package standin_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"standin"
)

func Example() {
	ctx := context.Background()
	core, err := standin.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer core.Close()

	// What is known about the table from elsewhere, never from its rows: a Frictionless Table Schema.
	schema, err := core.ParseSchema([]byte(`{"fields": [
		{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}},
		{"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 99, "required": true}}
	]}`))
	if err != nil {
		log.Fatal(err)
	}
	plan, err := schema.Plan(standin.Options{"epsilon": 1})
	if err != nil {
		log.Fatal(err)
	}
	people := strings.NewReader("sex,age\n" + strings.Repeat("F,31\nM,64\nF,18\n", 300))
	table, err := standin.ReadCSV(ctx, people, schema)
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	release, err := standin.Measure(ctx, table, plan, nil, standin.Run{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(release.Guarantee.Epsilon, release.Guarantee.Neighbours)

	// Keep the measured part, release.JSON: anyone who has it can make more rows at no further cost.
	made, err := standin.Resample(ctx, release, standin.Options{"rows": 5, "seed": 7})
	if err != nil {
		log.Fatal(err)
	}
	var csv strings.Builder
	if _, err := made.Tables[0].WriteTo(&csv); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(csv.String(), "\n"), "lines, the first of them", csv.String()[:7])

	// Output:
	// 1 add-remove
	// 6 lines, the first of them sex,age
}
