package standin;

/** What will be measured of a table, with what noise, at what price. It was made without looking at any table. */
public final class Plan extends Handle {
    private final String json;

    Plan(Core core, int number, String json) {
        super(core, number);
        this.json = json;
    }

    /** Returns what the command {@code standin plan --json} prints. */
    public String json() {
        return json;
    }
}
