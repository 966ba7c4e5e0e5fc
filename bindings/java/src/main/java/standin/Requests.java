package standin;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** Requests to a core, which answers them on its thread, one after the other. */
final class Requests {
    /** A part of an engine's memory. */
    record Place(int instance, int pointer, int bytes) {}

    private final CoreThread thread = new CoreThread();
    /** Null once the core is closed. It is used on the core's thread only, like what follows. */
    private Host host;
    private boolean isBroken;

    Requests() {
        onThread(() -> host = new Host(), () -> {});
    }

    Message ask(Map<String, ?> request) {
        return ask(new Run(), request);
    }

    /** Sends a request and returns its answer's value, or throws its error. */
    Message ask(Run run, Map<String, ?> request, byte[]... parts) {
        byte[] bytes = Message.packed(request, parts);
        Turn turn = new Turn(run);
        byte[] answer = onThread(() -> {
            if (host == null) throw closed(null);
            if (isBroken) throw failed(null);
            isBroken = true;
            byte[] made = host.send(bytes, turn);
            isBroken = false;
            return made;
        }, turn::interrupt);
        turn.rethrow();
        return Message.unpacked(answer).value();
    }

    /** Lets the core forget a thing. The core may have been closed before. */
    void drop(int number) {
        if (thread.isOpen()) ask(Map.of("request", "drop", "object", number));
    }

    /** Returns the memory itself that has a place, valid until the core gets another request about it. */
    byte[] memory(Place place) {
        return onThread(() -> {
            if (host == null) throw closed(null);
            return host.part(place.instance, place.pointer, place.bytes);
        }, () -> {});
    }

    /** Ends the core. All its memory is overwritten with zeros. */
    synchronized void close() {
        if (!thread.isOpen()) return;
        onThread(() -> {
            if (host != null) host.wipe();
            return host = null;
        }, () -> {});
        thread.end();
    }

    /** Runs a job with the host, for tests. */
    <Result> Result withHost(Function<Host, Result> job) {
        return onThread(() -> job.apply(host), () -> {});
    }

    private <Result> Result onThread(Callable<Result> job, Runnable interrupted) {
        try {
            return thread.await(job, interrupted);
        } catch (RejectedExecutionException ended) {
            throw closed(ended);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof StandinException known) throw known;
            throw failed(failure.getCause());
        }
    }

    private static StandinException closed(Throwable cause) {
        return new StandinException("host/closed", "This core is closed.", "", cause);
    }

    private static StandinException failed(Throwable cause) {
        return new StandinException("core/fault", "The core has failed. Open another one.", "", cause);
    }
}
