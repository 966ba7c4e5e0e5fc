package standin;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import run.endive.runtime.ExportFunction;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.ValType;

/**
 * Runs the core's module and gives it its verbs: instances of the engine, calls of them and copies of bytes. One thread
 * at a time may use it.
 */
final class Host {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long[] NONE = {};

    /** An instance of the engine, with its exports that have been called. */
    private record Engine(Instance instance, FlatMemory memory, Map<String, ExportFunction> functions) {}

    /** Gets the JSON of a progress event, which may be empty, and says whether the request should end. */
    interface Breath {
        boolean isLast(String progress);
    }

    private final Map<Integer, Engine> engines = new TreeMap<>();
    private final long began = System.nanoTime();
    private final Instance core;
    private final FlatMemory memory;
    private int made;
    private Breath breath = progress -> false;

    Host() {
        core = Instance.builder(CoreModule.load())
                .withMachineFactory(CoreModule::create)
                .withMemoryFactory(FlatMemory::new)
                .withImportValues(verbs())
                .build();
        memory = (FlatMemory) core.memory();
        core.export("_initialize").apply();
        if (run("core_start") != 0) throw new IllegalStateException("The core does not start.");
    }

    /** Passes a request to the core, and returns its answer. */
    byte[] send(byte[] request, Breath breath) {
        this.breath = breath;
        int pointer = run("core_alloc", request.length);
        if (pointer == 0) throw new IllegalStateException("The core has no memory for a request.");
        memory.write(pointer, request, 0, request.length);
        int answer = run("core_request", pointer, request.length);
        if (answer == 0) throw new IllegalStateException("The core failed without an answer.");
        byte[] copied = memory.readBytes(answer, run("core_answer_length"));
        core.export("core_free").apply(answer);
        return copied;
    }

    /** Returns the memory of an instance that has this part, itself. */
    byte[] part(int instance, int address, int length) {
        return engines.get(instance).memory.part(address, length);
    }

    /** Overwrites all memory with zeros. */
    void wipe() {
        engines.values().forEach(engine -> engine.memory.wipe());
        engines.clear();
        memory.wipe();
    }

    /** Returns the memories of all instances of the engine themselves, in the order in which they were made. */
    List<byte[]> memories() {
        return engines.values().stream().map(engine -> engine.memory.part(0, 0)).toList();
    }

    /** Returns the core's memory itself. */
    byte[] coreMemory() {
        return memory.part(0, 0);
    }

    private int run(String name, long... values) {
        return (int) core.export(name).apply(values)[0];
    }

    private interface Verb {
        long[] run(int[] values);
    }

    private ImportValues verbs() {
        return ImportValues.builder()
                .addFunction(verb("instance", 0, ValType.I32, values -> one(open())))
                .addFunction(verb("drop", 1, null, values -> drop(values[0])))
                .addFunction(verb("call", 6, ValType.I32, this::call))
                .addFunction(verb("read", 4, null, values -> copy(
                        memory, values[2], engines.get(values[0]).memory, values[1], values[3])))
                .addFunction(verb("write", 4, null, values -> copy(
                        engines.get(values[0]).memory, values[1], memory, values[2], values[3])))
                .addFunction(verb("copy", 5, null, values -> copy(
                        engines.get(values[0]).memory, values[1], engines.get(values[2]).memory, values[3], values[4])))
                .addFunction(verb("fill_key", 3, ValType.I32, this::fillKey))
                .addFunction(verb("breathe", 2, ValType.I32, values -> one(
                        breath.isLast(text(values[0], values[1], StandardCharsets.UTF_8)) ? 1 : 0)))
                .addFunction(verb("now", 0, ValType.F64, values -> one(
                        Double.doubleToRawLongBits((System.nanoTime() - began) / 1e6))))
                .build();
    }

    private static HostFunction verb(String name, int count, ValType result, Verb verb) {
        List<ValType> results = result == null ? List.of() : List.of(result);
        FunctionType type = FunctionType.of(Collections.nCopies(count, ValType.I32), results);
        return new HostFunction("standin", name, type, (instance, given) -> {
            int[] values = new int[count];
            for (int at = 0; at < count; at++) values[at] = (int) given[at];
            return verb.run(values);
        });
    }

    private static long[] one(long value) {
        return new long[] {value};
    }

    private String text(int address, int length, Charset charset) {
        return new String(memory.part(address, length), address, length, charset);
    }

    /** Makes an instance of the engine, and returns its number, or 0 if there is no room for one. */
    private int open() {
        try {
            Instance instance = Instance.builder(EngineModule.load())
                    .withMachineFactory(EngineModule::create)
                    .withMemoryFactory(FlatMemory::new)
                    .build();
            engines.put(++made, new Engine(instance, (FlatMemory) instance.memory(), new HashMap<>()));
            return made;
        } catch (OutOfMemoryError noRoom) {
            return 0;
        }
    }

    private long[] drop(int instance) {
        Engine engine = engines.remove(instance);
        if (engine != null) engine.memory.wipe();
        return NONE;
    }

    private static long[] copy(FlatMemory to, int address, FlatMemory from, int pointer, int length) {
        System.arraycopy(from.part(pointer, length), pointer, to.part(address, length), address, length);
        return NONE;
    }

    private long[] fillKey(int[] values) {
        byte[] key = new byte[values[2]];
        RANDOM.nextBytes(key);
        System.arraycopy(key, 0, part(values[0], values[1], values[2]), values[1], values[2]);
        Arrays.fill(key, (byte) 0);
        return one(0);
    }

    /** Calls an export of an instance. Values cross as they are, in slots of 8 bytes. */
    private long[] call(int[] values) {
        Engine engine = engines.get(values[0]);
        String name = text(values[1], values[2], StandardCharsets.ISO_8859_1);
        ExportFunction function = engine.functions.computeIfAbsent(name, engine.instance::export);
        long[] slots = new long[values[4]];
        for (int at = 0; at < slots.length; at++) slots[at] = memory.readLong(values[3] + 8 * at);
        long[] results;
        try {
            results = function.apply(slots);
        } catch (RuntimeException trap) {
            return one(1);
        }
        if (results != null && results.length > 0) memory.writeLong(values[5], results[0]);
        return one(0);
    }
}
