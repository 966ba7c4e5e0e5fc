package standin;

import java.util.List;

/**
 * What was made from a release.
 *
 * @param tables the synthetic tables: one, unless the mechanism makes several
 * @param rows the number of rows of each
 * @param outcome how the search for rows went, and how well they fit, as JSON
 * @param release the same release, with the number of rows and the seed of these tables
 */
public record Synthetic(List<Table> tables, long rows, String outcome, Release release) {
    /** Returns the first table. */
    public Table table() {
        return tables.get(0);
    }
}
