package standin;

import java.util.List;

/**
 * How far apart the answers of two tables are, exactly. Anyone who sees these numbers learns about the people in the
 * real table.
 *
 * @param rows how many rows each table has
 * @param workloads the number of column sets compared
 * @param cells the number of their cells, in all levels of trees
 * @param meanTv the mean total variation distance of the column sets, 0 to 1
 * @param maxTv the largest one
 * @param meanError the mean distance of the two tables' shares of rows over all cells, 0 to 1
 * @param maxError the largest one
 * @param rmse its root mean square
 * @param worst the column sets with the largest distances, worst first
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
        List<Worst> worst) {
    /** Numbers of rows. */
    public record Rows(long real, long synthetic) {}

    /** A column set and its total variation distance. */
    public record Worst(List<String> columns, double tv) {}
}
