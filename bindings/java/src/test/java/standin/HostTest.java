package standin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import run.endive.wasm.types.MemoryLimits;

/** What lies below the API: memories, instances, and the classes that the build makes. */
class HostTest {
    private static final String SECRET = "a secret of somebody";

    @Test
    void aMemoryThatGrowsLeavesNothingBehind() {
        FlatMemory memory = new FlatMemory(new MemoryLimits(1, 4));
        memory.write(0, "rows".getBytes(UTF_8), 0, 4);
        byte[] first = memory.part(0, 4);
        assertEquals(1, memory.grow(2));
        assertArrayEquals(new byte[first.length], first);
        byte[] second = memory.part(0, 3 << 16);
        assertEquals("rows", new String(second, 0, 4, UTF_8));
        assertEquals(-1, memory.grow(2));
        assertEquals(3, memory.pages());
        assertThrows(IndexOutOfBoundsException.class, () -> memory.part(3 << 16, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> memory.readInt(-4));
        assertThrows(IndexOutOfBoundsException.class, () -> memory.writeLong(second.length - 4, 1));
        memory.wipe();
        assertArrayEquals(new byte[second.length], second);
    }

    @Test
    void coresSeeNoRowsAndTablesLeaveNone() {
        try (Core core = Core.open()) {
            Schema schema = core.parseSchema("""
                    {"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F"]}}]}""");
            Table table = Vector.read(core, "sex,note\n" + ("F," + SECRET + "\n").repeat(5000), schema);
            byte[] coreBytes = core.requests().withHost(Host::coreMemory);
            assertFalse(new String(coreBytes, UTF_8).contains(SECRET));
            byte[] rows = newest(core);
            assertFalse(isEmpty(rows));
            table.close();
            assertTrue(isEmpty(rows));
            assertEquals(0, instances(core));
        }
    }

    @Test
    void coresThatAreClosedLeaveNoRows() {
        Core core = Core.open();
        Vector.named("pairs").table(core);
        byte[] rows = newest(core);
        assertFalse(isEmpty(rows));
        core.close();
        assertTrue(isEmpty(rows));
    }

    @Test
    void runsThatEndEarlyGiveTheirInstancesBack() {
        try (Core core = Core.open()) {
            Vector vector = Vector.named("rounds");
            Table table = vector.table(core);
            Plan plan = vector.plan(core);
            core.measure(table, plan);
            int before = instances(core);
            IOException full = new IOException("the disk is full");
            int[] during = {0};
            Run run = new Run().onRound(json -> {
                during[0] = instances(core);
                throw full;
            });
            var thrown = assertThrows(UncheckedIOException.class, () -> core.measure(table, plan, Map.of(), run));
            assertEquals(full, thrown.getCause());
            assertTrue(during[0] > before);
            assertEquals(before, instances(core));
        }
    }

    @Test
    void comparisonsAreThoseOfNumbersWithAndWithoutASign() {
        int[] numbers = {0, 1, 2, -1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 65_536};
        for (int a : numbers) {
            assertEquals(a == 0 ? 1 : 0, Compare.I32_EQZ(a));
            for (int b : numbers) {
                int signed = Integer.compare(a, b);
                int unsigned = Integer.compareUnsigned(a, b);
                boolean[] expected = {
                    a == b, a != b, signed < 0, signed <= 0, signed > 0, signed >= 0,
                    unsigned < 0, unsigned <= 0, unsigned > 0, unsigned >= 0
                };
                int[] results = {
                    Compare.I32_EQ(a, b), Compare.I32_NE(a, b),
                    Compare.I32_LT_S(a, b), Compare.I32_LE_S(a, b), Compare.I32_GT_S(a, b), Compare.I32_GE_S(a, b),
                    Compare.I32_LT_U(a, b), Compare.I32_LE_U(a, b), Compare.I32_GT_U(a, b), Compare.I32_GE_U(a, b)
                };
                for (int at = 0; at < results.length; at++) assertEquals(expected[at] ? 1 : 0, results[at]);
                assertEquals(unsigned, Long.signum(Compare.minus(a, b)));
            }
        }
    }

    @Test
    void theBuildHasRewrittenTheModules() throws IOException {
        for (String module : List.of("CoreModule", "EngineModule")) {
            try (InputStream stream = Core.class.getResourceAsStream(module + "MachineFuncGroup_0.class")) {
                String text = new String(stream.readAllBytes(), UTF_8);
                assertTrue(text.contains("standin/Compare"));
                for (String gone : List.of("checkInterruption", "i32_ge_u")) assertFalse(text.contains(gone), gone);
            }
        }
    }

    private static int instances(Core core) {
        return core.requests().withHost(Host::memories).size();
    }

    /** The memory of the instance that was made last. */
    private static byte[] newest(Core core) {
        List<byte[]> memories = core.requests().withHost(Host::memories);
        return memories.get(memories.size() - 1);
    }

    private static boolean isEmpty(byte[] bytes) {
        for (byte one : bytes) if (one != 0) return false;
        return true;
    }
}
