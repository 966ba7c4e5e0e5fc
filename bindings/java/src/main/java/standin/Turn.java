package standin;

/** What the core's thread shares with a caller that waits for an answer. */
final class Turn implements Host.Breath {
    private final Run run;
    private volatile boolean isInterrupted;
    private Throwable thrown;

    Turn(Run run) {
        this.run = run;
    }

    /** Says that the caller has been interrupted. */
    void interrupt() {
        isInterrupted = true;
    }

    @Override
    public boolean isLast(String progress) {
        try {
            if (!progress.isEmpty()) run.onProgress.accept(Message.JSON.fromJson(progress, Progress.class));
            return isInterrupted || run.isCancelled.getAsBoolean();
        } catch (RuntimeException | Error failure) {
            thrown = failure;
            return true;
        }
    }

    /** Throws what one of the caller's functions threw, if any did. */
    void rethrow() {
        if (thrown instanceof RuntimeException failure) throw failure;
        if (thrown instanceof Error failure) throw failure;
    }
}
