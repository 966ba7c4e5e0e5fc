package standin.example;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import standin.Core;
import standin.Plan;
import standin.Release;
import standin.Schema;
import standin.Synthetic;
import standin.Table;

public class Example {
    public static void main(String[] args) throws IOException {
        try (Core core = Core.open()) {
            // What is known about the table from elsewhere, never from its rows: a Frictionless Table Schema.
            Schema schema = core.parseSchema("""
                    {"fields": [
                      {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}},
                      {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 99, "required": true}}
                    ]}""");
            Plan plan = schema.plan(Map.of("epsilon", 1));
            InputStream people = new ByteArrayInputStream(("sex,age\n" + "F,31\nM,64\nF,18\n".repeat(300)).getBytes());
            Release release;
            try (Table table = core.readCsv(people, schema)) {
                release = core.measure(table, plan);
            }
            System.out.println(release.guarantee()); // for ε = 1, of one row

            // Keep the measured part, release.json(): anyone who has it can make more rows at no further cost.
            Synthetic made = core.resample(release, Map.of("rows", 5, "seed", 7));
            ByteArrayOutputStream csv = new ByteArrayOutputStream();
            made.table().writeCsv(csv);
            System.out.println(csv.toString().lines().count() + " lines"); // 6 lines: the header and five rows
        }
    }
}
