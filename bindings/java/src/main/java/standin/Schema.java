package standin;

import java.util.List;
import java.util.Map;

/** The public facts of a table. */
public final class Schema extends Handle {
    /**
     * A column that a schema describes.
     *
     * @param name the column's name in the header
     * @param type the field's type in the schema, such as {@code integer}
     * @param role {@code model}, or what else becomes of the column
     * @param required whether no cell of the column is missing
     */
    public record Field(String name, String type, String role, boolean required) {}

    record Facts(
            int schema,
            List<Field> fields,
            List<String> readFacts,
            List<String> reads,
            String encoding,
            boolean decodes) {}

    private final Facts facts;

    Schema(Core core, Facts facts) {
        super(core, facts.schema);
        this.facts = facts;
    }

    /** Returns all fields, in the schema's order. */
    public List<Field> fields() {
        return facts.fields;
    }

    /**
     * Returns the facts that were read from the rows, such as {@code age: minimum}. A plan with any has no guarantee.
     */
    public List<String> readFacts() {
        return facts.readFacts;
    }

    /** Returns the names of the columns that a table has to have: others are not read. */
    public List<String> reads() {
        return facts.reads;
    }

    String encoding() {
        return facts.encoding;
    }

    boolean engineDecodes() {
        return facts.decodes;
    }

    /**
     * Plans a release without touching anything private.
     *
     * @param options those of the npm package, by name; {@code epsilon} or {@code rho} is required. Values are numbers,
     *     strings, lists and maps, and a {@link Table} as {@code publicTable}
     * @throws StandinException {@code options/…} and others where they are wrong
     */
    public Plan plan(Map<String, ?> options) {
        return core.plan(this, options);
    }
}
