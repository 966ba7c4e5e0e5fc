package standin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import standin.ColumnLayout.Kind;
import standin.ColumnLayout.Places;
import standin.Requests.Place;

/** Brings rows into the engine and out of it, past the core. */
final class Rows {
    /** How many bytes of a file are read at once, if the engine has room for them. */
    private static final int BYTES_AT_ONCE = 1 << 20;
    /** How many rows of columns are coded at once. */
    private static final int ROWS_AT_ONCE = 1 << 14;

    private record Batch(int instance, List<Places> columns) {}

    private record Writing(int writer, List<Kind> columns) {}

    private record Written(int instance, int values, int offsets, int texts, int validity, int rows) {}

    private Rows() {}

    /**
     * Lets a reader read all of a source.
     *
     * @param begin the request for the reader
     * @param end the name of the request for what it then gives
     */
    static Message read(Requests core, Map<String, ?> begin, Source source, String end) throws IOException {
        int reader = core.ask(begin).member("reader").getAsInt();
        try {
            while (true) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new StandinException("host/cancelled", "The caller has cancelled.", "", null);
                }
                Place room = core.ask(Map.of("request", "room", "reader", reader, "bytes", BYTES_AT_ONCE))
                        .as(Place.class);
                int read = source.fill(core.memory(room), room.pointer(), room.bytes());
                if (read == 0) return core.ask(Map.of("request", end, "reader", reader));
                core.ask(Map.of("request", "took", "reader", reader, "bytes", read));
            }
        } catch (IOException | RuntimeException | Error failure) {
            core.drop(reader);
            throw failure;
        }
    }

    /** Writes a table's rows as CSV. */
    static void write(Requests core, int table, OutputStream stream) throws IOException {
        int writer = core.ask(Map.of("request", "write", "table", table)).member("writer").getAsInt();
        while (true) {
            Place chunk = core.ask(Map.of("request", "chunk", "writer", writer)).as(Place.class);
            if (chunk.bytes() == 0) return;
            try {
                stream.write(core.memory(chunk), chunk.pointer(), chunk.bytes());
            } catch (IOException | RuntimeException | Error failure) {
                core.drop(writer);
                throw failure;
            }
        }
    }

    /** Reads a table whose columns are in arrays. */
    static Message read(Requests core, int schema, List<? extends Column> columns) {
        List<Map<String, String>> types = columns.stream()
                .map(column -> Map.of("name", column.name(), "type", ColumnLayout.type(column)))
                .toList();
        int rows = columns.isEmpty() ? 0 : columns.get(0).rows();
        if (columns.stream().anyMatch(column -> column.rows() != rows)) {
            throw new IllegalArgumentException("The columns have different numbers of rows.");
        }
        int reader = core.ask(Map.of("request", "read", "schema", schema, "columns", types))
                .member("reader")
                .getAsInt();
        try {
            for (int from = 0; from < rows; from += ROWS_AT_ONCE) {
                code(core, reader, columns, from, Math.min(from + ROWS_AT_ONCE, rows));
            }
            return core.ask(Map.of("request", "table", "reader", reader));
        } catch (RuntimeException | Error failure) {
            core.drop(reader);
            throw failure;
        }
    }

    private static void code(Requests core, int reader, List<? extends Column> columns, int from, int to) {
        List<Integer> bytes = columns.stream().map(column -> ColumnLayout.textBytes(column, from, to)).toList();
        List<Integer> entries = columns.stream().map(ColumnLayout::entries).toList();
        Map<String, Object> sizes = Map.of("rows", to - from, "bytes", bytes, "entries", entries);
        Batch batch = core.ask(request("batch", "reader", reader, sizes)).as(Batch.class);
        ByteBuffer memory = memory(core, batch.instance);
        for (int at = 0; at < columns.size(); at++) {
            ColumnLayout.write(columns.get(at), from, to, memory, batch.columns.get(at));
        }
        core.ask(Map.of("request", "coded", "reader", reader));
    }

    /** Returns a table's columns in arrays. */
    static List<Column> columns(Requests core, int table) {
        Writing writing = core.ask(Map.of("request", "columns", "table", table)).as(Writing.class);
        List<Column> columns = new ArrayList<>();
        try {
            for (int place = 0; place < writing.columns.size(); place++) {
                Map<String, Object> all = Map.of("place", place, "from", 0, "rows", Integer.MAX_VALUE);
                Written written = core.ask(request("column", "writer", writing.writer, all)).as(Written.class);
                Column column = ColumnLayout.empty(writing.columns.get(place), written.rows);
                Places at = new Places(written.values, written.offsets, written.texts, written.validity);
                ColumnLayout.read(column, memory(core, written.instance), at);
                columns.add(column);
            }
        } finally {
            core.drop(writing.writer);
        }
        return columns;
    }

    /** A request about a thing, with more members. */
    private static Map<String, Object> request(String name, String kind, int number, Map<String, ?> more) {
        Map<String, Object> request = new HashMap<>(more);
        request.put("request", name);
        request.put(kind, number);
        return request;
    }

    private static ByteBuffer memory(Requests core, int instance) {
        return ByteBuffer.wrap(core.memory(new Place(instance, 0, 0))).order(ByteOrder.LITTLE_ENDIAN);
    }
}
