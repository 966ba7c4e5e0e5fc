package standin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A release from beginning to end, as the npm package makes it. */
record Vector(JsonObject json) {
    static List<Vector> all() throws IOException {
        try (var files = Files.list(Path.of("../../test/vectors"))) {
            return files.filter(path -> path.toString().endsWith(".json")).sorted().map(Vector::read).toList();
        }
    }

    static Vector named(String name) {
        return read(Path.of("../../test/vectors", name + ".json"));
    }

    private static Vector read(Path path) {
        try {
            return new Vector(JsonParser.parseString(Files.readString(path)).getAsJsonObject());
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    String name() {
        return json.get("name").getAsString();
    }

    String csv() {
        return json.get("csv").getAsString();
    }

    Schema schema(Core core) {
        return core.parseSchema(json.get("schema").toString());
    }

    Map<String, JsonElement> planOptions() {
        return json.getAsJsonObject("plan").asMap();
    }

    Plan plan(Core core) {
        return schema(core).plan(planOptions());
    }

    Table table(Core core) {
        return read(core, csv(), schema(core));
    }

    static Table read(Core core, String csv, Schema schema) {
        try {
            return core.readCsv(new ByteArrayInputStream(csv.getBytes(UTF_8)), schema);
        } catch (IOException never) {
            throw new AssertionError(never);
        }
    }

    static String written(Table table) {
        var bytes = new ByteArrayOutputStream();
        try {
            table.writeCsv(bytes);
        } catch (IOException never) {
            throw new AssertionError(never);
        }
        return bytes.toString(UTF_8);
    }

    /** Returns what differs between what a core makes and this vector, or an empty text. */
    String difference(Core core) {
        Map<String, JsonElement> options = new HashMap<>();
        for (String name : List.of("seed", "rows")) if (json.has(name)) options.put(name, json.get(name));
        Run run = new Run().unsafeNoiseKey(HexFormat.of().parseHex(json.get("noiseKey").getAsString()));
        try (Plan plan = plan(core); Table table = table(core)) {
            Release release = core.measure(table, plan, options, run);
            if (!release.json().equals(json.get("release").toString())) return name() + ": another release";
            if (release.guarantee() != null || release.noGuarantee() == null) return name() + ": a guarantee";
            Synthetic made = core.resample(core.parseRelease(release.json()), Map.of());
            try (Table rows = made.table()) {
                String expected = json.getAsJsonObject("output").get("csv").getAsString();
                return written(rows).equals(expected) ? "" : name() + ": other rows";
            }
        }
    }
}
