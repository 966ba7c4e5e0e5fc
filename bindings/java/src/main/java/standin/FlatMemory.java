package standin;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import run.endive.runtime.ConstantEvaluators;
import run.endive.runtime.Instance;
import run.endive.runtime.Memory;
import run.endive.wasm.types.ActiveDataSegment;
import run.endive.wasm.types.DataSegment;
import run.endive.wasm.types.MemoryLimits;
import run.endive.wasm.types.PassiveDataSegment;

/**
 * The memory of a module, in one array. Streams read and write it in place, and no copy of its bytes is left behind:
 * what it grows out of, and all of it in the end, is overwritten with zeros. Instances of the engine hold private rows.
 */
@SuppressWarnings("removal") // Methods for memories that threads share have to be there.
final class FlatMemory implements Memory {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle DOUBLE = view(double[].class);
    /** No array of Java has more bytes. */
    private static final int MOST_BYTES = Integer.MAX_VALUE / PAGE_SIZE * PAGE_SIZE;

    private final MemoryLimits limits;
    private int pages;
    /**
     * The memory's bytes, and then zeros that it may grow into. An address behind the array, which only a bug can ask
     * for, throws, as WASM demands. One behind the last page does not, which costs such a bug its report.
     */
    private byte[] bytes;
    private DataSegment[] segments = {};

    FlatMemory(MemoryLimits limits) {
        this.limits = limits;
        pages = limits.initialPages();
        bytes = new byte[pages * PAGE_SIZE];
    }

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the array, once this part is known to lie in the memory. It is valid until the memory grows. */
    byte[] part(int address, int length) {
        Objects.checkFromIndexSize(address, length, pages * PAGE_SIZE);
        return bytes;
    }

    /** Overwrites the memory with zeros. */
    void wipe() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public int grow(int more) {
        int before = pages;
        if (more < 0 || more > maximumPages() - before) return -1;
        int needed = (before + more) * PAGE_SIZE;
        if (needed > bytes.length) {
            byte[] old = bytes;
            try {
                bytes = Arrays.copyOf(old, (int) Math.min(Math.max(needed, old.length * 3L / 2), MOST_BYTES));
            } catch (OutOfMemoryError noRoom) {
                return -1;
            }
            Arrays.fill(old, (byte) 0);
        }
        pages = before + more;
        return before;
    }

    @Override
    public int pages() {
        return pages;
    }

    @Override
    public int initialPages() {
        return limits.initialPages();
    }

    @Override
    public int maximumPages() {
        return Math.min(limits.maximumPages(), MOST_BYTES / PAGE_SIZE);
    }

    @Override
    public void initialize(Instance instance, DataSegment[] given) {
        segments = given == null ? segments : given.clone();
        for (DataSegment segment : segments) {
            if (segment instanceof ActiveDataSegment active) {
                long[] address = ConstantEvaluators.computeConstantValue(instance, active.offsetInstructions());
                write((int) address[0], active.data(), 0, active.data().length);
            }
        }
    }

    @Override
    public void initPassiveSegment(int segment, int address, int from, int length) {
        write(address, segments[segment].data(), from, length);
    }

    @Override
    public void drop(int segment) {
        segments[segment] = PassiveDataSegment.EMPTY;
    }

    @Override
    public void write(int address, byte[] data, int from, int length) {
        System.arraycopy(data, from, bytes, address, length);
    }

    @Override
    public byte[] readBytes(int address, int length) {
        return Arrays.copyOfRange(part(address, length), address, address + length);
    }

    @Override
    public void copy(int to, int from, int length) {
        System.arraycopy(bytes, from, bytes, to, length);
    }

    @Override
    public void fill(byte value, int from, int to) {
        Arrays.fill(bytes, from, to, value);
    }

    @Override
    public void zero() {
        wipe();
    }

    @Override
    public byte read(int address) {
        return bytes[address];
    }

    @Override
    public short readShort(int address) {
        return (short) SHORT.get(bytes, address);
    }

    @Override
    public long readU16(int address) {
        return Short.toUnsignedLong(readShort(address));
    }

    @Override
    public int readInt(int address) {
        return (int) INT.get(bytes, address);
    }

    @Override
    public long readLong(int address) {
        return (long) LONG.get(bytes, address);
    }

    @Override
    public float readFloat(int address) {
        return (float) FLOAT.get(bytes, address);
    }

    @Override
    public long readF32(int address) {
        return readInt(address);
    }

    @Override
    public double readDouble(int address) {
        return (double) DOUBLE.get(bytes, address);
    }

    @Override
    public long readF64(int address) {
        return readLong(address);
    }

    @Override
    public void writeByte(int address, byte value) {
        bytes[address] = value;
    }

    @Override
    public void writeShort(int address, short value) {
        SHORT.set(bytes, address, value);
    }

    @Override
    public void writeI32(int address, int value) {
        INT.set(bytes, address, value);
    }

    @Override
    public void writeLong(int address, long value) {
        LONG.set(bytes, address, value);
    }

    @Override
    public void writeF32(int address, float value) {
        FLOAT.set(bytes, address, value);
    }

    @Override
    public void writeF64(int address, double value) {
        DOUBLE.set(bytes, address, value);
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public Object lock(int address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int waitOn(int address, int expected, long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int waitOn(int address, long expected, long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int notify(int address, int count) {
        throw new UnsupportedOperationException();
    }
}
