package standin;

import java.util.List;

/**
 * A schema that a table's rows suggest. NOT PRIVATE.
 *
 * @param descriptor the schema, as JSON that {@link Core#parseSchema} reads
 * @param notes what its owner should know, one sentence each: names of columns and counts, no cells
 * @param readFacts the facts that were read from the rows, such as {@code age: minimum}
 */
public record Proposal(String descriptor, List<String> notes, List<String> readFacts) {}
