package standin;

import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Does whole jobs for tests and benches of all languages (test/runtimes/programs.ts): a line of input is a job, and
 * each is answered with a line.
 */
public final class Job {
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Core core = Core.open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String answer = "done";
                try {
                    run(core, line.split("\t"));
                } catch (StandinException refused) {
                    answer = refused.code() + " " + refused.getMessage();
                }
                System.out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                System.out.flush();
            }
        }
    }

    private static Map<String, ?> options(String json) {
        return JsonParser.parseString(json).getAsJsonObject().asMap();
    }

    private static void run(Core core, String[] job) throws IOException {
        try (Schema schema = core.parseSchema(Files.readString(Path.of(job[0])));
                Plan plan = schema.plan(options(job[2]));
                InputStream csv = Files.newInputStream(Path.of(job[1]));
                Table table = core.readCsv(csv, schema);
                Release release = core.measure(table, plan, options(job[3]), new Run())) {
            Synthetic made = core.resample(release, Map.of());
            try (Table rows = made.table(); OutputStream out = Files.newOutputStream(Path.of(job[4]))) {
                rows.writeCsv(out);
            }
            made.release().close();
        }
    }
}
