package standin;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The rows of a table: private ones that were read, or synthetic ones. They are in the engine, or follow from a
 * release; none is a Java object.
 */
public final class Table extends Handle {
    private final List<String> columns;

    Table(Core core, int number, List<String> columns) {
        super(core, number);
        this.columns = columns;
    }

    /** Returns the names of the columns that it keeps, in the file's order. */
    public List<String> columns() {
        return columns;
    }

    /**
     * Writes the table as CSV, in UTF-8 with LF line ends. The stream gets the engine's own memory, which it must not
     * keep or change.
     *
     * @throws IOException if the stream throws it
     */
    public void writeCsv(OutputStream stream) throws IOException {
        Rows.write(core.requests(), of(core), stream);
    }

    /**
     * Returns the table's columns in arrays: categories as {@link Column.Categories}, whole numbers that fit as {@link
     * Column.Longs}, other numbers as {@link Column.Doubles}, dates and datetimes as {@link Column.Moments}, and all
     * else as {@link Column.Texts}.
     */
    public List<Column> toColumns() {
        return Rows.columns(core.requests(), of(core));
    }
}
