package standin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes stand-ins. Everything that is made from it (schemas, tables, plans, releases) belongs to it, and cannot be used
 * with another. It answers one request at a time: threads that work in parallel need a core each.
 */
public final class Core implements AutoCloseable {
    private final Requests requests = new Requests();

    private Core() {}

    /** Starts a core. */
    public static Core open() {
        return new Core();
    }

    /**
     * Gives back all memory of the core, after overwriting the private rows that are left with zeros. Nothing that was
     * made from the core can be used any more.
     */
    @Override
    public void close() {
        requests.close();
    }

    /** Returns the requests to this core. */
    Requests requests() {
        return requests;
    }

    /** Returns the version of the standin package whose core this is. */
    public String version() {
        return requests.ask(Map.of("request", "version")).member("version").getAsString();
    }

    /**
     * Reads a schema.
     *
     * @param descriptor the JSON of a Frictionless Table Schema with standin blocks
     * @throws StandinException {@code schema/…} if it is wrong
     */
    public Schema parseSchema(String descriptor) {
        Message answer = requests.ask(Map.of("request", "schema", "descriptor", descriptor));
        return new Schema(this, answer.as(Schema.Facts.class));
    }

    /**
     * Marks facts that were read from the rows as declared, because someone knows them independently of this table.
     *
     * @param descriptor the JSON of a schema
     * @param columns those whose facts are marked; none for all facts, including those of the table as a whole
     * @return the JSON of the same schema with these marks
     */
    public String confirmFacts(String descriptor, String... columns) {
        Map<String, Object> given = new HashMap<>(Map.of("request", "confirm", "descriptor", descriptor));
        if (columns.length > 0) given.put("columns", columns);
        return requests.ask(given).member("descriptor").toString();
    }

    /**
     * Reads a table whose first line is a header. Bytes go from the stream straight into the engine's memory.
     *
     * @param stream the file's bytes, in the encoding that the schema states, or that a byte order mark names
     * @throws IOException if the stream throws it
     * @throws StandinException {@code files/…} if the file is wrong, never because of what a cell holds;
     *     {@code host/encoding} if neither the engine nor Java can decode it
     */
    public Table readCsv(InputStream stream, Schema schema) throws IOException {
        Source source = Source.of(stream, schema);
        return table(Rows.read(requests, begin("read", schema, source), source, "table"));
    }

    /**
     * Proposes a schema for a table from its rows. THE RESULT IS NOT PRIVATE: it is only for the table's owner, until
     * {@link #confirmFacts} declares what is known independently. Texts of the table stay in the core's memory until it
     * is closed: open another one for private work.
     *
     * @param options {@code maxCategories}, {@code dialect} and {@code missingValues}
     */
    public Proposal nonPrivateProposal(InputStream stream, Map<String, ?> options) throws IOException {
        Map<String, ?> begin = Map.of("request", "propose", "options", options);
        Message answer = Rows.read(requests, begin, stream::readNBytes, "proposal");
        List<String> notes = Message.texts(answer.member("notes"));
        return new Proposal(answer.member("descriptor").toString(), notes, Message.texts(answer.member("readFacts")));
    }

    /**
     * Counts exactly what reading a table with a schema would change. THE RESULT IS NOT PRIVATE: it is only for the
     * table's owner.
     *
     * @return the JSON that the command {@code standin check --json} prints
     */
    public String nonPrivateCheck(InputStream stream, Schema schema) throws IOException {
        Source source = Source.of(stream, schema);
        return Rows.read(requests, begin("check", schema, source), source, "checked").json().toString();
    }

    private Map<String, ?> begin(String request, Schema schema, Source source) {
        return Map.of("request", request, "schema", schema.of(this), "decoded", source.isDecoded());
    }

    /**
     * Reads a table whose columns are in arrays, as one whose cells are in a file.
     *
     * @param columns at least those that {@link Schema#reads} names; the values of others are ignored
     * @throws StandinException {@code frames/type} if the type of a column does not fit the schema, whatever its values
     */
    public Table readColumns(List<? extends Column> columns, Schema schema) {
        List<? extends Column> read = columns.stream()
                .map(column -> schema.reads().contains(column.name())
                        ? column
                        : new UnreadColumn(column.name(), column.rows()))
                .toList();
        return table(Rows.read(requests, schema.of(this), read));
    }

    private Table table(Message answer) {
        return new Table(this, answer.member("table").getAsInt(), Message.texts(answer.member("columns")));
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
        Message answer = requests.ask(given);
        return new Plan(this, answer.member("plan").getAsInt(), answer.member("facts").toString());
    }

    /** Measures a table as {@link #measure(Table, Plan, Map, Run)} does, without options or a caller's functions. */
    public Release measure(Table table, Plan plan) {
        return measure(table, plan, Map.of(), new Run());
    }

    /**
     * Measures a table, and nothing more. Save the release's JSON before making rows, so that no later failure costs
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
        given.put("rounds", run.onRound != null);
        if (run.budget != null) given.put("budget", run.budget.of(this));
        byte[][] key = run.unsafeNoiseKey == null ? new byte[0][] : new byte[][] {run.unsafeNoiseKey};
        int number = requests.ask(run, given, key).member("run").getAsInt();
        try {
            while (true) {
                Message event = requests.ask(run, Map.of("request", "next", "run", number));
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
            requests.drop(number); // which ends it, wherever it is
        }
    }

    private Release release(Message answer, String text) {
        record Made(int release, Release.Facts facts) {}
        Made made = answer.as(Made.class);
        return new Release(this, made.release, text, made.facts);
    }

    /** Reads the JSON of a release. */
    public Release parseRelease(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return release(requests.ask(new Run(), Map.of("request", "release"), text), json);
    }

    /**
     * Reads the state of a budget, such as
     * {@code {"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}}.
     */
    public Budget parseBudget(String state) {
        Message answer = requests.ask(Map.of("request", "budget", "state", state));
        return new Budget(this, answer.member("budget").getAsInt(), answer.member("state").toString());
    }

    /** Makes rows from a release as {@link #resample(Release, Map, Run)} does, without a caller's functions. */
    public Synthetic resample(Release release, Map<String, ?> options) {
        return resample(release, options, new Run());
    }

    /**
     * Makes rows from a release, without data and without budget. With the release's own rows and seed, the result is
     * always the same.
     *
     * @param options {@code rows}, {@code seed} and, where the release was made with one, {@code publicTable}
     * @param run what gets the progress, and may cancel
     */
    public Synthetic resample(Release release, Map<String, ?> options, Run run) {
        Message answer = requests.ask(run, with(options, Map.of("request", "resample", "release", release.of(this))));
        record Made(List<Integer> tables, long rows, List<String> columns) {}
        Made made = answer.as(Made.class);
        List<Table> tables = made.tables.stream().map(number -> new Table(this, number, made.columns)).toList();
        String outcome = answer.member("outcome").toString();
        return new Synthetic(tables, made.rows, outcome, release(answer, answer.parts().get(0)));
    }

    /**
     * Compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT PRIVATE: it is only
     * for the owner of the real table, and publishing it would reveal what the release protects.
     *
     * @param options {@code workload} and {@code queries}, as for plans; {@code targets}, names of columns that
     *     classifiers are trained to predict; and, with targets, {@code test}, a {@link Table} of real rows that were
     *     held out for testing (a fifth of the real table by default)
     */
    public QueryErrors nonPrivateQueryErrors(Table real, Table synthetic, Schema schema, Map<String, ?> options) {
        return nonPrivateQueryErrors(real, synthetic, schema, options, new Run());
    }

    /**
     * Does the same as {@link #nonPrivateQueryErrors(Table, Table, Schema, Map)}.
     *
     * @param run what gets the progress, and may cancel
     */
    public QueryErrors nonPrivateQueryErrors(
            Table real, Table synthetic, Schema schema, Map<String, ?> options, Run run) {
        Map<String, ?> tables = Map.of("real", real.of(this), "synthetic", synthetic.of(this));
        Map<String, Object> given = with(options, tables);
        given.put("request", "evaluate");
        given.put("schema", schema.of(this));
        return requests.ask(run, given).as(QueryErrors.class);
    }

    /** Adds options to a request. Tables have members of their own there. */
    private Map<String, Object> with(Map<String, ?> options, Map<String, ?> request) {
        Map<String, Object> given = new HashMap<>(request);
        Map<String, Object> plain = new HashMap<>(options);
        for (String name : List.of("publicTable", "test")) {
            Object table = plain.remove(name);
            if (table != null) given.put(name, table instanceof Table known ? known.of(this) : table);
        }
        given.put("options", plain);
        return given;
    }
}
