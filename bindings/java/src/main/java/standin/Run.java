package standin;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What a run shares with its caller. A run continues once a sink has returned: what the sink was given must be on disk
 * by then. If a sink throws, the run ends with that exception. A run also ends when its thread is interrupted.
 *
 * <p>{@link #onProgress} and {@link #cancelWhen} are called on the core's own thread, which waits for them to return:
 * they must not use the core.
 */
public final class Run {
    /** Keeps a text. */
    @FunctionalInterface
    public interface Sink {
        /** @throws IOException if the text could not be kept; the run ends */
        void accept(String json) throws IOException;
    }

    Budget budget;
    Sink onCharge = json -> {};
    Sink onRound;
    Consumer<Progress> onProgress = progress -> {};
    BooleanSupplier isCancelled = () -> false;
    byte[] unsafeNoiseKey;

    /** Sets the budget that is charged before anything is measured. */
    public Run budget(Budget shared) {
        budget = shared;
        return this;
    }

    /** Sets the sink that gets the budget's state each time it has changed. */
    public Run onCharge(Sink sink) {
        onCharge = sink;
        return this;
    }

    /**
     * Sets the sink that gets the JSON of an unfinished release each time a round has been added. If the run does not
     * finish, {@link Core#resume} continues from it at no further cost.
     */
    public Run onRound(Sink sink) {
        onRound = sink;
        return this;
    }

    /** Sets the function that gets the run's progress, perhaps many times a second. */
    public Run onProgress(Consumer<Progress> hear) {
        onProgress = hear;
        return this;
    }

    /** Sets the function that says whether the run should end. It is asked many times a second. */
    public Run cancelWhen(BooleanSupplier isTime) {
        isCancelled = isTime;
        return this;
    }

    /** For tests only: sets a noise key of 32 bytes that everyone may know. The release then has no guarantee. */
    public Run unsafeNoiseKey(byte[] key) {
        unsafeNoiseKey = key;
        return this;
    }
}
