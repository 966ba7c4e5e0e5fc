package standin;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import standin.Column.Categories;
import standin.Column.Doubles;
import standin.Column.Longs;
import standin.Column.Moments;
import standin.Column.Texts;

/** How columns lie in the engine's memory: as Arrow lays them out, in little-endian order and without padding. */
final class ColumnLayout {
    /** Where the parts of a column begin in the memory, 0 for what its type does not have. */
    record Places(int values, int offsets, int texts, int validity) {}

    /** What a table says of a column that it gives out. */
    record Kind(String name, String type, List<String> labels) {}

    private ColumnLayout() {}

    static String type(Column column) {
        if (column instanceof Texts) return "text";
        if (column instanceof Longs) return "i64";
        if (column instanceof Doubles) return "f64";
        if (column instanceof Categories) return "dictionary";
        if (column instanceof UnreadColumn) return "none";
        return "moment";
    }

    /** The texts of a column that go with these rows: its cells or, whatever the rows, its dictionary. */
    private static List<String> texts(Column column, int from, int to) {
        if (column instanceof Texts cells) return Arrays.asList(cells.values()).subList(from, to);
        return column instanceof Categories categories ? categories.labels() : List.of();
    }

    static int entries(Column column) {
        return column instanceof Categories categories ? categories.labels().size() : 0;
    }

    static int textBytes(Column column, int from, int to) {
        return texts(column, from, to).stream().mapToInt(ColumnLayout::utf8Bytes).reduce(0, Math::addExact);
    }

    private static int utf8Bytes(String text) {
        int bytes = 0;
        for (int at = 0; text != null && at < text.length(); at++) {
            char unit = text.charAt(at);
            boolean isPair = Character.isHighSurrogate(unit)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1));
            if (isPair) at++;
            // The encoder writes "?" for half a pair.
            bytes += isPair ? 4 : unit < 0x80 || Character.isSurrogate(unit) ? 1 : unit < 0x800 ? 2 : 3;
        }
        return bytes;
    }

    /** Writes some rows of a column into the engine's memory. */
    static void write(Column column, int from, int to, ByteBuffer memory, Places at) {
        if (column instanceof UnreadColumn) return;
        for (int row = from; row < to; row++) {
            int bit = row - from;
            int place = at.validity + bit / 8;
            if (!column.isMissing(row)) memory.put(place, (byte) (memory.get(place) | 1 << bit % 8));
        }
        memory.position(at.values);
        if (column instanceof Longs longs) memory.asLongBuffer().put(longs.values(), from, to - from);
        if (column instanceof Doubles doubles) memory.asDoubleBuffer().put(doubles.values(), from, to - from);
        if (column instanceof Moments moments) memory.asLongBuffer().put(moments.micros(), from, to - from);
        if (column instanceof Categories categories) memory.asIntBuffer().put(categories.places(), from, to - from);
        if (column instanceof Texts || column instanceof Categories) writeTexts(texts(column, from, to), memory, at);
    }

    private static void writeTexts(List<String> texts, ByteBuffer memory, Places at) {
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPLACE);
        memory.position(at.texts);
        memory.putInt(at.offsets, 0);
        for (int index = 0; index < texts.size(); index++) {
            if (texts.get(index) != null) encoder.reset().encode(CharBuffer.wrap(texts.get(index)), memory, true);
            memory.putInt(at.offsets + 4 * (index + 1), memory.position() - at.texts);
        }
    }

    /** An empty column of a kind, for a number of rows. */
    static Column empty(Kind kind, int rows) {
        BitSet missing = new BitSet(rows);
        return switch (kind.type) {
            case "dictionary" -> new Categories(kind.name, new int[rows], kind.labels, missing);
            case "i64" -> new Longs(kind.name, new long[rows], missing);
            case "f64" -> new Doubles(kind.name, new double[rows], missing);
            case "moment" -> new Moments(kind.name, new long[rows], missing);
            default -> new Texts(kind.name, new String[rows]);
        };
    }

    /** Reads a column from the engine's memory. */
    static void read(Column column, ByteBuffer memory, Places at) {
        BitSet missing = new BitSet();
        for (int row = 0; row < column.rows(); row++) {
            if ((memory.get(at.validity + row / 8) >> row % 8 & 1) == 0) missing.set(row);
        }
        memory.position(at.values);
        if (column instanceof Longs longs) {
            memory.asLongBuffer().get(longs.values());
            longs.missing().or(missing);
        } else if (column instanceof Doubles doubles) {
            memory.asDoubleBuffer().get(doubles.values());
            doubles.missing().or(missing);
        } else if (column instanceof Moments moments) {
            memory.asLongBuffer().get(moments.micros());
            moments.missing().or(missing);
        } else if (column instanceof Categories categories) {
            memory.asIntBuffer().get(categories.places());
            categories.missing().or(missing);
        } else if (column instanceof Texts texts) {
            for (int row = missing.nextClearBit(0); row < texts.rows(); row = missing.nextClearBit(row + 1)) {
                int start = memory.getInt(at.offsets + 4 * row);
                int end = memory.getInt(at.offsets + 4 * row + 4);
                texts.values()[row] = new String(memory.array(), at.texts + start, end - start, StandardCharsets.UTF_8);
            }
        }
    }
}
