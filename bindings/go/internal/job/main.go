// Command job does whole jobs for tests and benches of all languages (test/runtimes/programs.ts): a line of input is a
// job, and each is answered with a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"standin"
)

func main() {
	core, err := standin.Open(context.Background())
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		parts := strings.Split(lines.Text(), "\t")
		err := run(core, parts[0], parts[1], parts[2], parts[3], parts[4])
		var refused *standin.Error
		switch {
		case err == nil:
			fmt.Println("done")
		case errors.As(err, &refused):
			fmt.Println(refused.Code, refused.Message)
		default:
			panic(err)
		}
	}
}

func run(core *standin.Core, schemaPath, csvPath, planOptions, rowOptions, outPath string) error {
	ctx := context.Background()
	var planned, rows standin.Options
	err := errors.Join(json.Unmarshal([]byte(planOptions), &planned), json.Unmarshal([]byte(rowOptions), &rows))
	if err != nil {
		return err
	}
	descriptor, err := os.ReadFile(schemaPath)
	if err != nil {
		return err
	}
	schema, err := core.ParseSchema(descriptor)
	if err != nil {
		return err
	}
	defer schema.Close()
	plan, err := schema.Plan(planned)
	if err != nil {
		return err
	}
	defer plan.Close()
	csv, err := os.Open(csvPath)
	if err != nil {
		return err
	}
	defer csv.Close()
	table, err := standin.ReadCSV(ctx, csv, schema)
	if err != nil {
		return err
	}
	defer table.Close()
	release, err := standin.Measure(ctx, table, plan, rows, standin.Run{})
	if err != nil {
		return err
	}
	defer release.Close()
	made, err := standin.Resample(ctx, release, standin.Options{})
	if err != nil {
		return err
	}
	defer made.Release.Close()
	defer made.Tables[0].Close()
	out, err := os.Create(outPath)
	if err != nil {
		return err
	}
	_, err = made.Tables[0].WriteTo(out)
	return errors.Join(err, out.Close())
}
