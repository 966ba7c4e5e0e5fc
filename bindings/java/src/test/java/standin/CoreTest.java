package standin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CoreTest {
    private static Core core;

    @BeforeAll
    static void open() {
        core = Core.open();
    }

    @AfterAll
    static void close() {
        core.close();
    }

    static StandinException assertCode(String code, Executable job) {
        StandinException thrown = assertThrows(StandinException.class, job);
        assertEquals(code, thrown.code(), thrown.getMessage());
        return thrown;
    }

    @Test
    void aCoreMakesTheBytesOfAllVectors() throws IOException {
        List<Vector> vectors = Vector.all();
        assertTrue(vectors.size() >= 10);
        for (Vector vector : vectors) assertEquals("", vector.difference(core));
    }

    @Test
    void threadsShareACoreOrHaveOneEach() throws Exception {
        List<String> differences = new ArrayList<>();
        try (Core other = Core.open()) {
            List<Thread> threads = new ArrayList<>();
            for (Core used : List.of(core, core, other)) {
                threads.add(new Thread(() -> {
                    String difference = Vector.named("pairs").difference(used) + Vector.named("trees").difference(used);
                    synchronized (differences) {
                        differences.add(difference);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) thread.join();
        }
        assertEquals(List.of("", "", ""), differences);
    }

    /** Expects the same errors as the npm package's, which bindings/go/testdata/record.mjs has recorded. */
    @Test
    void mistakesAreThoseOfTheNpmPackage() throws IOException {
        String recorded = Files.readString(Path.of("../go/testdata/refusals.json"));
        for (JsonElement element : JsonParser.parseString(recorded).getAsJsonArray()) {
            JsonObject one = element.getAsJsonObject();
            JsonObject expected = one.getAsJsonObject("expected");
            StandinException thrown = assertCode(expected.get("code").getAsString(), () -> {
                Schema schema = core.parseSchema(one.get("schema").toString());
                if (one.has("csv")) Vector.read(core, one.get("csv").getAsString(), schema);
                else schema.plan(one.getAsJsonObject("options").asMap());
            });
            assertEquals(expected.get("message").getAsString(), thrown.getMessage());
            assertEquals(expected.get("hint").getAsString(), thrown.hint());
        }
        assertFalse(core.version().isEmpty());
    }

    @Test
    void optionsThatAreNoJsonAreRefused() {
        Schema schema = Vector.named("pairs").schema(core);
        assertCode("host/request", () -> schema.plan(Map.of("epsilon", Double.NaN)));
    }

    @Test
    void textsThatAreNestedTooDeeplyAreRefused() {
        String nested = "[".repeat(20_000) + "]".repeat(20_000);
        assertThrows(StandinException.class, () -> core.parseSchema(nested));
        assertThrows(StandinException.class, () -> core.parseRelease(nested));
        assertFalse(core.version().isEmpty());
    }

    @Test
    void runsTellHowFarTheyAreAndEndWhenCancelled() {
        Vector vector = Vector.named("rounds");
        Plan plan = vector.plan(core);
        Table table = vector.table(core);
        List<String> events = new ArrayList<>();
        Run told = new Run()
                .onRound(json -> events.add("kept"))
                .onProgress(progress -> events.add(progress.phase()));
        Release release = core.measure(table, plan, Map.of(), told);
        assertTrue(events.containsAll(List.of("measure", "round", "kept", "measured")), events.toString());
        assertEquals(2, events.stream().filter("kept"::equals).count());
        assertTrue(events.indexOf("measure") < events.indexOf("kept"));
        assertTrue(events.lastIndexOf("kept") < events.indexOf("measured"));

        AtomicInteger rounds = new AtomicInteger();
        Run cancelled = new Run().onRound(json -> rounds.incrementAndGet()).cancelWhen(() -> rounds.get() > 0);
        assertCode("host/cancelled", () -> core.measure(table, plan, Map.of(), cancelled));
        assertEquals(1, rounds.get());
        assertCode("host/cancelled", () -> core.resample(release, Map.of(), new Run().cancelWhen(() -> true)));
        Run faulty = new Run().onProgress(progress -> {
            throw new IllegalStateException(progress.phase());
        });
        assertEquals("measure", assertThrows(IllegalStateException.class,
                () -> core.measure(table, plan, Map.of(), faulty)).getMessage());
        assertEquals("", vector.difference(core));
    }

    @Test
    void interruptedThreadsEndTheirRequests() {
        Vector vector = Vector.named("rounds");
        Plan plan = vector.plan(core);
        Table table = vector.table(core);
        Thread caller = Thread.currentThread();
        Run run = new Run().onProgress(progress -> caller.interrupt());
        assertCode("host/cancelled", () -> core.measure(table, plan, Map.of(), run));
        assertTrue(caller.isInterrupted());
        assertCode("host/cancelled", () -> vector.table(core));
        assertTrue(Thread.interrupted());
        assertEquals("", vector.difference(core));
    }

    @Test
    void runsGoOnElsewhere() {
        Vector vector = Vector.named("rounds");
        String state = """
                {"epsilon": 500, "delta": 1e-3, "neighbours": "add-remove", "unit": "row", "spent": []}""";
        IOException enough = new IOException("enough");
        String[] kept = new String[2];
        Budget budget = core.parseBudget(state);
        Run first = new Run().budget(budget).onCharge(json -> kept[0] = json).onRound(json -> {
            kept[1] = json;
            throw enough;
        });
        Table here = vector.table(core);
        var thrown = assertThrows(UncheckedIOException.class,
                () -> core.measure(here, vector.plan(core), Map.of(), first));
        assertEquals(enough, thrown.getCause());
        assertEquals(kept[0], budget.json());

        try (Core other = Core.open()) {
            Table table = vector.table(other);
            Release unfinished = other.parseRelease(kept[1]);
            assertTrue(unfinished.isUnfinished());
            assertCode("release/unfinished", () -> other.resample(unfinished, Map.of()));
            assertCode("budget/missing", () -> other.resume(table, unfinished, Map.of(), new Run()));
            assertCode("host/handle", () -> other.resume(here, unfinished, Map.of(), new Run()));
            Budget shared = other.parseBudget(kept[0]);
            Release release = other.resume(table, unfinished, Map.of(), new Run().budget(shared));
            assertFalse(release.isUnfinished());
            assertNull(release.noGuarantee());
            assertEquals("add-remove", release.guarantee().neighbours());
            assertEquals("row", release.guarantee().unit());
            JsonObject spent = JsonParser.parseString(shared.json()).getAsJsonObject();
            assertEquals(1, spent.getAsJsonArray("spent").size());
            assertCode("budget/resumed", () -> other.resume(table, unfinished, Map.of(), new Run().budget(shared)));
        }
    }

    @Test
    void publicRowsAndComparisons() {
        Vector vector = Vector.named("pairs");
        Schema schema = vector.schema(core);
        Table table = vector.table(core);
        Table rows = vector.table(core);
        Plan plan = schema.plan(Map.of("epsilon", 2, "publicTable", rows));
        assertTrue(plan.json().startsWith("{"));
        Release release = core.measure(table, plan);
        assertThrows(StandinException.class, () -> core.resample(release, Map.of()));
        Synthetic made = core.resample(release, Map.of("publicTable", rows, "rows", 50));
        assertEquals(50, made.rows());
        assertEquals(51, Vector.written(made.table()).lines().count());
        assertTrue(JsonParser.parseString(made.outcome()).isJsonObject());
        QueryErrors errors = core.nonPrivateQueryErrors(table, made.table(), schema, Map.of("workload", "1-way"));
        assertEquals(new QueryErrors.Rows(240, 50), errors.rows());
        assertTrue(errors.meanTv() > 0 && errors.worst().get(0).tv() >= errors.meanTv());
        assertNotNull(errors.worst().get(0).columns());
        assertNull(errors.utility());
        List<?> queries = List.of(Map.of("expression", "age < 30"));
        Map<String, ?> options =
                Map.of("workload", "1-way", "queries", queries, "targets", List.of("sex"), "test", rows);
        List<String> phases = new ArrayList<>();
        Run run = new Run().onProgress(progress -> phases.add(progress.phase()));
        QueryErrors more = core.nonPrivateQueryErrors(table, made.table(), schema, options, run);
        // Each column, the expression, and each other column with the target.
        assertEquals(2 * errors.workloads(), more.workloads());
        assertEquals("expression", more.classes().get(1).query());
        QueryErrors asked = core.nonPrivateQueryErrors(
                table, made.table(), schema, Map.of("workload", "1-way", "queries", queries));
        assertTrue(asked.worst().stream().anyMatch(far -> List.of("age < 30").equals(far.expressions())));
        assertEquals(240, more.utility().testRows());
        assertEquals("sex", more.utility().targets().get(0).target());
        assertTrue(more.utility().targets().get(0).f1().real() > 0);
        assertTrue(more.utility().targets().get(0).f1MostFrequent() > 0);
        assertEquals(Set.of("train"), Set.copyOf(phases));
        assertCode("options/argument",
                () -> core.nonPrivateQueryErrors(table, made.table(), schema, Map.of("test", rows)));
        assertCode("host/handle", () -> schema.plan(Map.of("epsilon", 2, "publicTable", "none")));
    }

    @Test
    void factsThatWereReadAreConfirmed() {
        String field = "{\"name\": \"%s\", \"type\": \"integer\", \"constraints\": {\"minimum\": 0, \"maximum\": 9},"
                + " \"standin\": {\"provenance\": \"read\"}}";
        String descriptor = "{\"fields\": [" + field.formatted("a") + ", " + field.formatted("b") + "]}";
        assertTrue(core.parseSchema(descriptor).readFacts().size() > 1);
        List<String> some = core.parseSchema(core.confirmFacts(descriptor, "a")).readFacts();
        assertFalse(some.isEmpty());
        assertTrue(some.stream().allMatch(fact -> fact.startsWith("b")), some.toString());
        assertEquals(List.of(), core.parseSchema(core.confirmFacts(descriptor)).readFacts());
        assertCode("schema/unknown-column", () -> core.confirmFacts(descriptor, "c"));
    }

    @Test
    void whatIsClosedCannotBeUsed() {
        Core closed = Core.open();
        Table table = Vector.named("pairs").table(closed);
        Table other = Vector.named("pairs").table(closed);
        table.close();
        assertCode("host/handle", () -> Vector.written(table));
        closed.close();
        closed.close();
        other.close();
        assertCode("host/closed", () -> Vector.written(other));
        assertCode("host/closed", closed::version);
    }

    @Test
    void theReadmesProgramIsTheExample() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String program = readme.split("```java\n", 2)[1].split("```\n", 2)[0];
        String example = Files.readString(Path.of("src/test/java/standin/example/Example.java"), UTF_8);
        assertEquals(example.split("package standin.example;\n\n", 2)[1], program);
        standin.example.Example.main(new String[0]);
    }
}
