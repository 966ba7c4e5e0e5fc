package standin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows on their way into the engine and out of it. */
class RowsTest {
    private static Core core;

    @BeforeAll
    static void open() {
        core = Core.open();
    }

    @AfterAll
    static void close() {
        core.close();
    }

    private static Schema schema(String fields, String more) {
        return core.parseSchema("{\"fields\": [" + fields + "]" + more + "}");
    }

    private static Schema names(String encoding) {
        String field = """
                {"name": "wo", "type": "string", "constraints": {"enum": ["Köln", "東京", "🙂"]}}""";
        return schema(field, encoding == null ? "" : ", \"encoding\": \"" + encoding + "\"");
    }

    private static String read(byte[] file, Schema schema) throws IOException {
        try (Table table = core.readCsv(new ByteArrayInputStream(file), schema)) {
            return Vector.written(table);
        }
    }

    /** Gives one byte at a time. */
    private static final class Slow extends InputStream {
        private final InputStream stream;

        Slow(String text) {
            stream = new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public int read() throws IOException {
            return stream.read();
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            return stream.read(into, from, Math.min(length, 1));
        }
    }

    @Test
    void largeFilesAreReadThroughSmallStreams() throws IOException {
        Schema schema = schema("""
                {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}}""", "");
        String text = "\uFEFFnote,sex\r\n" + "\"a, b\",F\r\nsome words,M\r\n".repeat(60_000);
        for (InputStream stream : List.of(new ByteArrayInputStream(text.getBytes(UTF_8)), new Slow(text))) {
            Table table = core.readCsv(stream, schema);
            assertEquals(List.of("sex"), table.columns());
            assertEquals("sex\n" + "F\nM\n".repeat(60_000), Vector.written(table));
        }
    }

    @Test
    void errorsOfStreamsArePassedOn() {
        IOException broken = new IOException("broken");
        Table table = Vector.named("pairs").table(core);
        assertEquals(broken, assertThrows(IOException.class, () -> core.readCsv(new InputStream() {
            @Override
            public int read() throws IOException {
                throw broken;
            }
        }, names(null))));
        assertEquals(broken, assertThrows(IOException.class, () -> table.writeCsv(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw broken;
            }
        })));
    }

    @Test
    void filesAreInTheEncodingOfTheSchemaOrOfTheirMark() throws IOException {
        String cells = "wo\nKöln\n東京\n\n🙂\n";
        String expected = "wo\nKöln\n東京\n\"\"\n🙂\n";
        assertEquals(expected, read(cells.getBytes(UTF_8), names(null)));
        assertEquals(expected, read(("\uFEFF" + cells).getBytes("UTF-16LE"), names(null)));
        assertEquals(expected, read(cells.getBytes("UTF-16BE"), names("utf-16be")));
        assertEquals(expected, read(cells.getBytes("GB18030"), names("gb18030")));
        assertEquals(expected, read(("\uFEFF" + cells).getBytes(UTF_8), names("gb18030")));
        assertEquals("wo\nKöln\n", read("wo\nKöln\n".getBytes("windows-1252"), names("latin1")));
        String many = "wo\n" + "東京\nKöln\n".repeat(40_000);
        assertEquals(many, read(many.getBytes(Charset.forName("gb18030")), names("gb18030")));
        CoreTest.assertCode("host/encoding", () -> read(cells.getBytes(UTF_8), names("iso-8859-14")));
    }

    @Test
    void proposalsAndChecksAreNotPrivate() throws IOException {
        String text = "sex,age\n" + "F,31\nM,64\nF,18\n".repeat(300);
        Proposal proposal = core.nonPrivateProposal(new ByteArrayInputStream(text.getBytes(UTF_8)), Map.of());
        Schema schema = core.parseSchema(proposal.descriptor());
        assertEquals(List.of("string", "integer"), schema.fields().stream().map(Schema.Field::type).toList());
        assertEquals(schema.readFacts(), proposal.readFacts());
        String check = core.nonPrivateCheck(new ByteArrayInputStream((text + "X,20\n").getBytes(UTF_8)), schema);
        assertTrue(check.contains("\"rows\":901") && check.contains("\"unlisted\":1"), check);
    }

    private static final String MIXED = """
            {"name": "sex", "type": "string", "constraints": {"enum": ["F", "größer"]}},
            {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 99}},
            {"name": "size", "type": "number", "constraints": {"minimum": 0, "maximum": 2},
             "standin": {"granularity": 0.25}},
            {"name": "born", "type": "date", "constraints": {"minimum": "1990-01-01", "maximum": "2019-12-31"}},
            {"name": "who", "type": "string", "standin": {"role": "id"}}""";
    private static final long DAY = 86_400_000_000L;

    private static List<Column> columns(int rows) {
        int[] places = new int[rows];
        long[] ages = new long[rows];
        double[] sizes = new double[rows];
        long[] born = new long[rows];
        String[] who = new String[rows];
        BitSet none = new BitSet();
        BitSet missing = new BitSet();
        for (int row = 0; row < rows; row++) {
            places[row] = row % 3 - 1;
            ages[row] = row % 100;
            sizes[row] = row % 5 == 0 ? Double.NaN : row % 8 * 0.25;
            born[row] = (10_000 + row % 365) * DAY;
            who[row] = "🙂" + row;
            if (row % 7 == 0) missing.set(row);
        }
        return List.of(
                new Column.Categories("sex", places, List.of("F", "größer"), none),
                new Column.Longs("age", ages, missing),
                new Column.Doubles("size", sizes, none),
                new Column.Moments("born", born, none),
                new Column.Texts("who", who));
    }

    private static String csv(List<Column> columns) {
        StringBuilder text = new StringBuilder("sex,age,size,born,who\n");
        for (int row = 0; row < columns.get(0).rows(); row++) {
            List<String> cells = new ArrayList<>();
            cells.add(row % 3 == 0 ? "" : row % 3 == 1 ? "F" : "größer");
            cells.add(row % 7 == 0 ? "" : Integer.toString(row % 100));
            cells.add(row % 5 == 0 ? "" : Double.toString(row % 8 * 0.25));
            cells.add(java.time.LocalDate.ofEpochDay(10_000 + row % 365).toString());
            cells.add("🙂" + row);
            text.append(String.join(",", cells)).append('\n');
        }
        return text.toString();
    }

    @Test
    void columnsAreReadAsTheirFileIs() throws IOException {
        Schema schema = schema(MIXED, "");
        List<Column> columns = columns(40_000);
        Table table = core.readColumns(columns, schema);
        assertEquals(read(csv(columns).getBytes(UTF_8), schema), Vector.written(table));
        assertThrows(IllegalArgumentException.class,
                () -> core.readColumns(List.of(columns(2).get(0), columns(3).get(1)), schema));
        CoreTest.assertCode("frames/type",
                () -> core.readColumns(List.of(new Column.Moments("sex", new long[1], new BitSet())),
                        schema("{\"name\": \"sex\", \"type\": \"string\", \"constraints\": {\"enum\": [\"F\"]}}", "")));
    }

    @Test
    void columnsComeOutAsTheyWentIn() {
        Schema schema = schema(MIXED, "");
        List<Column> given = columns(1000);
        List<Column> made = core.readColumns(given, schema).toColumns();
        for (Column column : made) {
            Column before = given.stream().filter(one -> one.name().equals(column.name())).findFirst().orElseThrow();
            assertEquals(1000, column.rows());
            for (int row = 0; row < 1000; row++) {
                boolean isNaN = before instanceof Column.Doubles doubles && Double.isNaN(doubles.values()[row]);
                boolean isNone = before instanceof Column.Categories categories && categories.places()[row] < 0;
                assertEquals(before.isMissing(row) || isNaN || isNone, column.isMissing(row));
                if (column.isMissing(row)) continue;
                if (column instanceof Column.Longs longs) assertEquals(row % 100, longs.values()[row]);
                if (column instanceof Column.Doubles doubles) assertEquals(row % 8 * 0.25, doubles.values()[row]);
                if (column instanceof Column.Moments moments) {
                    assertEquals((10_000 + row % 365) * DAY, moments.micros()[row]);
                }
                if (column instanceof Column.Categories categories) {
                    assertEquals(row % 3 == 1 ? "F" : "größer", categories.labels().get(categories.places()[row]));
                }
            }
        }
        assertArrayEquals(
                new String[] {"Categories", "Longs", "Doubles", "Moments"},
                made.stream().limit(4).map(column -> column.getClass().getSimpleName()).toArray());
    }
}
