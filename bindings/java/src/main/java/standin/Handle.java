package standin;

/** Something that a core holds. It can be used with that core only. */
public abstract sealed class Handle implements AutoCloseable permits Schema, Plan, Table, Release, Budget {
    final Core core;
    private final int number;

    Handle(Core core, int number) {
        this.core = core;
        this.number = number;
    }

    /**
     * Lets the core forget the thing, and overwrites the private rows that it holds with zeros. Using it afterwards is
     * an error.
     */
    @Override
    public final void close() {
        core.requests().drop(number);
    }

    /** Returns the number of the thing for a request to a core. */
    final int of(Core core) {
        if (this.core == core) return number;
        throw new StandinException("host/handle", "Objects used together must come from the same core.", "", null);
    }
}
