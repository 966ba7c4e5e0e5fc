package standin;

/**
 * How far a run has got. Nothing in it depends on a row, except through noise.
 *
 * @param phase {@code measure}, {@code round}, {@code measured}, {@code search} or, in comparisons with targets, {@code
 *     train}
 * @param done the number of items measured, of rounds, or of classifiers trained
 * @param of how many there will be, or 0 where that is not known
 * @param step the sweeps or generations of a search
 * @param loss the search's distance to the noisy answers, relative to that at its start
 * @param stop why the search ended, or null before that
 */
public record Progress(String phase, long done, long of, long step, double loss, String stop) {}
