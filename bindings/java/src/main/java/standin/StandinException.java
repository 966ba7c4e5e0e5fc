package standin;

/**
 * Every error that standin raises on purpose. The message says what was expected, what was found (in options, schema,
 * header or files; never in a record) and what to do.
 */
public final class StandinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final String hint;

    StandinException(String code, String message, String hint, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
    }

    /** Returns a code that programs may test, {@code <room>/<what>}, such as {@code schema/unknown-column}. */
    public String code() {
        return code;
    }

    /** Returns what to do about it: the end of the message. It may be empty. */
    public String hint() {
        return hint;
    }
}
