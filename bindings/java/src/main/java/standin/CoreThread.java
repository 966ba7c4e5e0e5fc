package standin;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The thread that a core works on: one job after the other, on a stack that is large enough. The runtime ends code
 * whose thread is interrupted wherever it is, which would break the core; on a thread of its own, nobody interrupts it.
 */
final class CoreThread {
    private static final long STACK_BYTES = 8 << 20;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(job -> {
        Thread made = new Thread(null, job, "standin", STACK_BYTES);
        made.setDaemon(true);
        return made;
    });

    /**
     * Waits for a job's result.
     *
     * @param interrupted is run if the caller is interrupted meanwhile. The result is still waited for.
     */
    <Result> Result await(Callable<Result> job, Runnable interrupted) throws ExecutionException {
        Future<Result> result = thread.submit(job);
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException stop) {
                    wasInterrupted = true;
                    interrupted.run();
                }
            }
        } finally {
            if (wasInterrupted) Thread.currentThread().interrupt();
        }
    }

    boolean isOpen() {
        return !thread.isShutdown();
    }

    void end() {
        thread.shutdown();
    }
}
