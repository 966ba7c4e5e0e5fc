package standin;

import java.util.List;

/**
 * How far apart the answers of two tables are, exactly, and what classifiers learn from either. Anyone who sees these
 * numbers learns about the people in the real table.
 *
 * @param rows how many rows each table has
 * @param workloads the number of queries compared
 * @param cells the number of their cells, in all levels of trees
 * @param meanTv the mean total variation distance of the queries, 0 to 1
 * @param maxTv the largest one
 * @param meanError the mean distance of the two tables' shares of rows over all cells, 0 to 1
 * @param maxError the largest one
 * @param rmse its root mean square
 * @param classes the same for the queries of each class
 * @param worst the queries with the largest distances, worst first
 * @param utility what classifiers learn, or null without targets
 */
public record QueryErrors(
        Rows rows,
        int workloads,
        long cells,
        double meanTv,
        double maxTv,
        double meanError,
        double maxError,
        double rmse,
        List<ClassErrors> classes,
        List<Worst> worst,
        Utility utility) {
    /** Numbers of rows. */
    public record Rows(long real, long synthetic) {}

    /**
     * How far apart the answers to the queries of a class are, such as {@code marginal} or {@code random-prefixes}. The
     * order is the number of columns of each set, or null for other queries.
     */
    public record ClassErrors(
            String query,
            Integer order,
            int workloads,
            long cells,
            double meanTv,
            double maxTv,
            double meanError,
            double maxError,
            double rmse) {}

    /**
     * A query and its total variation distance.
     *
     * @param query its class
     * @param columns its columns
     * @param expressions its expressions, or null for other classes
     * @param tv the distance, 0 to 1
     */
    public record Worst(String query, List<String> columns, List<String> expressions, double tv) {}

    /**
     * How well logistic regressions do on real rows, after training on real and on synthetic ones.
     *
     * @param testRows the number of rows that they were tested on
     * @param targets one for each target
     */
    public record Utility(long testRows, List<Target> targets) {}

    /**
     * How well a column is predicted.
     *
     * @param f1 by linear classifiers, which see single columns
     * @param f1WithPairs by classifiers that also see pairs of columns, or null where there are none, or too many
     * @param f1MostFrequent by always saying the most frequent class, or null without rows
     */
    public record Target(String target, F1 f1, F1 f1WithPairs, Double f1MostFrequent) {}

    /**
     * Macro F1, 0 to 1; null if there were no rows to train on, or none to test on.
     *
     * @param real after training on real rows
     * @param synthetic after training on synthetic rows
     */
    public record F1(Double real, Double synthetic) {}
}
