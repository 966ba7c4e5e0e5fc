package standin;

import java.util.BitSet;
import java.util.List;

/** A column of a table, in arrays. The value of a missing cell has no meaning. */
public sealed interface Column
        permits Column.Texts, Column.Longs, Column.Doubles, Column.Categories, Column.Moments, UnreadColumn {
    /** Returns the column's name. */
    String name();

    /** Returns the number of rows. */
    int rows();

    /** Returns whether the cell of a row is missing. */
    boolean isMissing(int row);

    /**
     * Texts, as in a file, without quotes.
     *
     * @param name the column's name
     * @param values a text for each row, null for a missing cell
     */
    record Texts(String name, String[] values) implements Column {
        @Override
        public int rows() {
            return values.length;
        }

        @Override
        public boolean isMissing(int row) {
            return values[row] == null;
        }
    }

    /**
     * Whole numbers.
     *
     * @param name the column's name
     * @param values a number for each row
     * @param missing the rows whose cell is missing
     */
    record Longs(String name, long[] values, BitSet missing) implements Column {
        @Override
        public int rows() {
            return values.length;
        }

        @Override
        public boolean isMissing(int row) {
            return missing.get(row);
        }
    }

    /**
     * Numbers.
     *
     * @param name the column's name
     * @param values a number for each row; a NaN is a missing cell
     * @param missing the rows whose cell is missing
     */
    record Doubles(String name, double[] values, BitSet missing) implements Column {
        @Override
        public int rows() {
            return values.length;
        }

        @Override
        public boolean isMissing(int row) {
            return missing.get(row);
        }
    }

    /**
     * Categories.
     *
     * @param name the column's name
     * @param places for each row, an index into {@code labels}; one outside them is a missing cell
     * @param labels the texts that cells can be
     * @param missing the rows whose cell is missing
     */
    record Categories(String name, int[] places, List<String> labels, BitSet missing) implements Column {
        @Override
        public int rows() {
            return places.length;
        }

        @Override
        public boolean isMissing(int row) {
            return missing.get(row);
        }
    }

    /**
     * Dates, datetimes or times.
     *
     * @param name the column's name
     * @param micros for each row, microseconds since 1970-01-01T00:00:00, or since midnight for times: in local
     *     wall-clock time, or in UTC if the values that the schema states have an offset
     * @param missing the rows whose cell is missing
     */
    record Moments(String name, long[] micros, BitSet missing) implements Column {
        @Override
        public int rows() {
            return micros.length;
        }

        @Override
        public boolean isMissing(int row) {
            return missing.get(row);
        }
    }
}
