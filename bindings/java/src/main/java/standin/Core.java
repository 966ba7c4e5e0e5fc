package standin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;

/**
 * Makes stand-ins. Everything that is made from it (schemas, tables, plans, releases) belongs to it, and cannot be used
 * with another. It answers one request at a time: threads that are to work at the same time need a core each.
 */
public final class Core implements AutoCloseable {
    /** How many bytes of a file are read at once, if the engine has room for them. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private final CoreThread thread = new CoreThread();
    /** Null once the core is closed. It is used on the core's thread only, like what follows. */
    private Host host;
    private boolean isBroken;

    private Core() {}

    /** Starts a core. */
    public static Core open() {
        Core core = new Core();
        core.onThread(() -> core.host = new Host(), () -> {});
        return core;
    }

    /**
     * Gives back all memory of the core, and overwrites the private rows that are left with zeros. Nothing that was
     * made from it can be used any more.
     */
    @Override
    public void close() {
        if (!thread.isOpen()) return;
        onThread(() -> {
            if (host != null) host.wipe();
            return host = null;
        }, () -> {});
        thread.end();
    }

    /** Returns the version of the standin package whose core this is. */
    public String version() {
        return ask(Map.of("request", "version")).member("version").getAsString();
    }

    /**
     * Reads a schema.
     *
     * @param descriptor the JSON of a Frictionless Table Schema with standin blocks
     * @throws StandinException {@code schema/…} where it is wrong
     */
    public Schema parseSchema(String descriptor) {
        Message answer = ask(Map.of("request", "schema", "descriptor", descriptor));
        return new Schema(this, answer.as(Schema.Facts.class));
    }

    /**
     * Marks facts that were read from the rows as declared, because someone knows them independently of this table.
     *
     * @param descriptor the JSON of a schema
     * @param columns whose facts; none for all facts, including those of the table as a whole
     * @return the JSON of the same schema, so marked
     */
    public String confirmFacts(String descriptor, String... columns) {
        Map<String, Object> given = new HashMap<>(Map.of("request", "confirm", "descriptor", descriptor));
        if (columns.length > 0) given.put("columns", columns);
        return ask(given).member("descriptor").toString();
    }

    /**
     * Reads a table in UTF-8 whose first line is a header. Bytes go from the stream straight into the engine's memory.
     *
     * @throws IOException as the stream throws it
     * @throws StandinException {@code files/…} where the file is wrong, never because of what a cell holds
     */
    public Table readCsv(InputStream stream, Schema schema) throws IOException {
        int reader = ask(Map.of("request", "read", "schema", schema.of(this))).member("reader").getAsInt();
        try {
            fill(reader, stream);
            record Read(int table, List<String> columns) {}
            Read read = ask(Map.of("request", "table", "reader", reader)).as(Read.class);
            return new Table(this, read.table, read.columns);
        } catch (IOException | RuntimeException | Error failure) {
            drop(reader);
            throw failure;
        }
    }

    private void fill(int reader, InputStream stream) throws IOException {
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StandinException("host/cancelled", "The caller has cancelled.", "", null);
            }
            Place room = ask(Map.of("request", "room", "reader", reader, "bytes", MOST_AT_ONCE)).as(Place.class);
            int read = stream.readNBytes(memory(room), room.pointer, room.bytes);
            if (read == 0) return;
            ask(Map.of("request", "took", "reader", reader, "bytes", read));
            if (read < room.bytes) return;
        }
    }

    /**
     * Plans a release without touching anything private.
     *
     * @param options those of the npm package, by name; {@code epsilon} or {@code rho} is required. Values are numbers,
     *     strings, lists and maps, and a {@link Table} as {@code publicTable}
     * @throws StandinException {@code options/…} and others where they are wrong
     */
    Plan plan(Schema schema, Map<String, ?> options) {
        Map<String, Object> given = with(options, Map.of("request", "plan", "schema", schema.of(this)));
        Message answer = ask(given);
        return new Plan(this, answer.member("plan").getAsInt(), answer.member("facts").toString());
    }

    /** Measures a table as {@link #measure(Table, Plan, Map, Run)} does, on its own. */
    public Release measure(Table table, Plan plan) {
        return measure(table, plan, Map.of(), new Run());
    }

    /**
     * Measures a table, and nothing more. Keep the release's JSON before making rows, so that nothing that fails costs
     * budget again.
     *
     * @param options {@code rows} and {@code seed}, for the rows that will be made
     */
    public Release measure(Table table, Plan plan, Map<String, ?> options, Run run) {
        return measured(table, with(options, Map.of("request", "measure", "plan", plan.of(this))), run);
    }

    /**
     * Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again.
     *
     * @param options {@code publicTable}, where the plan had one
     */
    public Release resume(Table table, Release unfinished, Map<String, ?> options, Run run) {
        return measured(table, with(options, Map.of("request", "resume", "release", unfinished.of(this))), run);
    }

    private Release measured(Table table, Map<String, Object> given, Run run) {
        given.put("table", table.of(this));
        if (run.budget != null) given.put("budget", run.budget.of(this));
        byte[][] key = run.unsafeNoiseKey == null ? new byte[0][] : new byte[][] {run.unsafeNoiseKey};
        int number = ask(run, given, key).member("run").getAsInt();
        try {
            while (true) {
                Message event = ask(run, Map.of("request", "next", "run", number));
                String text = event.parts().get(0);
                switch (event.member("event").getAsString()) {
                    case "charged" -> {
                        run.budget.update(text);
                        run.onCharge.accept(text);
                    }
                    case "round" -> run.onRound.accept(text);
                    default -> {
                        return release(event, text);
                    }
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            drop(number); // which ends it, wherever it is
        }
    }

    private Release release(Message answer, String text) {
        record Made(int release, Release.Facts facts) {}
        Made made = answer.as(Made.class);
        return new Release(this, made.release, text, made.facts);
    }

    /** Reads the JSON of a release. */
    public Release parseRelease(String json) {
        return release(ask(new Run(), Map.of("request", "release"), json.getBytes(StandardCharsets.UTF_8)), json);
    }

    /**
     * Reads the state of a budget, such as
     * {@code {"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}}.
     */
    public Budget parseBudget(String state) {
        Message answer = ask(Map.of("request", "budget", "state", state));
        return new Budget(this, answer.member("budget").getAsInt(), answer.member("state").toString());
    }

    /** Makes rows from a release as {@link #resample(Release, Map, Run)} does, on its own. */
    public Synthetic resample(Release release, Map<String, ?> options) {
        return resample(release, options, new Run());
    }

    /**
     * Makes rows from a release, without data and without budget. With the release's own rows and seed, the result is
     * always the same.
     *
     * @param options {@code rows}, {@code seed} and, where the release was made with one, {@code publicTable}
     * @param run what hears of progress and may cancel
     */
    public Synthetic resample(Release release, Map<String, ?> options, Run run) {
        Message answer = ask(run, with(options, Map.of("request", "resample", "release", release.of(this))));
        record Made(List<Integer> tables, long rows, List<String> columns) {}
        Made made = answer.as(Made.class);
        List<Table> tables = made.tables.stream().map(number -> new Table(this, number, made.columns)).toList();
        String outcome = answer.member("outcome").toString();
        return new Synthetic(tables, made.rows, outcome, release(answer, answer.parts().get(0)));
    }

    /**
     * Compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT PRIVATE: it is only
     * for the owner of the real table, and to publish it would reveal what the release protects.
     *
     * @param workload one that plans take, such as {@code "2-way"}
     */
    public QueryErrors nonPrivateQueryErrors(Table real, Table synthetic, Schema schema, Object workload) {
        return ask(Map.of("request", "evaluate", "real", real.of(this), "synthetic", synthetic.of(this), "schema",
                schema.of(this), "workload", workload)).as(QueryErrors.class);
    }

    void write(Table table, OutputStream stream) throws IOException {
        int writer = ask(Map.of("request", "write", "table", table.of(this))).member("writer").getAsInt();
        while (true) {
            Place chunk = ask(Map.of("request", "chunk", "writer", writer)).as(Place.class);
            if (chunk.bytes == 0) return;
            try {
                stream.write(memory(chunk), chunk.pointer, chunk.bytes);
            } catch (IOException | RuntimeException failure) {
                drop(writer);
                throw failure;
            }
        }
    }

    /** Lets the core forget a thing. The core may have been closed before. */
    void drop(int number) {
        if (thread.isOpen()) ask(Map.of("request", "drop", "object", number));
    }

    /** A part of an engine's memory. */
    private record Place(int instance, int pointer, int bytes) {}

    /** Returns the memory itself that has a place, valid until the core gets another request about it. */
    private byte[] memory(Place place) {
        return onThread(() -> host.part(place.instance, place.pointer, place.bytes), () -> {});
    }

    /** Adds options to a request. A public table has a member of its own there. */
    private Map<String, Object> with(Map<String, ?> options, Map<String, ?> request) {
        Map<String, Object> given = new HashMap<>(request);
        Map<String, Object> plain = new HashMap<>(options);
        Object table = plain.remove("publicTable");
        if (table != null) given.put("publicTable", table instanceof Table known ? known.of(this) : table);
        given.put("options", plain);
        return given;
    }

    private Message ask(Map<String, ?> request) {
        return ask(new Run(), request);
    }

    /** Sends a request and returns its answer's value, or throws its error. */
    private Message ask(Run run, Map<String, ?> request, byte[]... parts) {
        byte[] bytes = Message.packed(request, parts);
        Turn turn = new Turn(run);
        byte[] answer = onThread(() -> {
            if (host == null) throw closed(null);
            if (isBroken) throw failed(null);
            isBroken = true;
            byte[] made = host.send(bytes, turn);
            isBroken = false;
            return made;
        }, turn::interrupt);
        turn.rethrow();
        return Message.unpacked(answer).value();
    }

    private <Result> Result onThread(Callable<Result> job, Runnable interrupted) {
        try {
            return thread.await(job, interrupted);
        } catch (RejectedExecutionException ended) {
            throw closed(ended);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof StandinException known) throw known;
            throw failed(failure.getCause());
        }
    }

    private static StandinException closed(Throwable cause) {
        return new StandinException("host/closed", "This core is closed.", "", cause);
    }

    private static StandinException failed(Throwable cause) {
        return new StandinException("core/fault", "The core has failed. Open another one.", "", cause);
    }
}
