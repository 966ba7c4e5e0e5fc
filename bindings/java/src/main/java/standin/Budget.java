package standin;

/** A budget that several releases of the same rows share. */
public final class Budget extends Handle {
    private volatile String json;

    Budget(Core core, int number, String json) {
        super(core, number);
        this.json = json;
    }

    /** Returns its state, with every charge so far. */
    public String json() {
        return json;
    }

    void update(String state) {
        json = state;
    }
}
