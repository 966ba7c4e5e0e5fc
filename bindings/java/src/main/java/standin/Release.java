package standin;

/** The noisy answers about a table, with everything that is needed to make rows from them. */
public final class Release extends Handle {
    /**
     * What a release guarantees.
     *
     * @param epsilon ε
     * @param delta δ
     * @param unit the protected unit: {@code "row"}, or a map with the maximum number of rows per person
     * @param neighbours {@code add-remove} or {@code replace}
     */
    public record Guarantee(double epsilon, double delta, Object unit, String neighbours) {}

    record Facts(Guarantee guarantee, String noGuarantee, boolean isUnfinished) {}

    private final String json;
    private final Facts facts;

    Release(Core core, int number, String json, Facts facts) {
        super(core, number);
        this.json = json;
        this.facts = facts;
    }

    /** Returns the content of its file, which {@link Core#parseRelease} reads. */
    public String json() {
        return json;
    }

    /** Returns the guarantee, or null for a release without one: {@link #noGuarantee} then says why. */
    public Guarantee guarantee() {
        return facts.guarantee;
    }

    /** Returns why there is no guarantee, or null if there is one. */
    public String noGuarantee() {
        return facts.noGuarantee;
    }

    /** Whether rounds are left to measure, with {@link Core#resume}. */
    public boolean isUnfinished() {
        return facts.isUnfinished;
    }
}
