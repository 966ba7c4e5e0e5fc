package standin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Map;

/** Where a table's bytes come from. */
interface Source {
    /** Puts bytes into an array, at least four if there are as many, and returns how many: 0 at the end. */
    int fill(byte[] into, int from, int length) throws IOException;

    /** Whether the engine is given UTF-8 instead of the encoding that the schema states. */
    default boolean isDecoded() {
        return false;
    }

    /** Java's names for encodings that are usually known by others, or read more under them. */
    Map<String, String> NAMES = Map.of(
            "big5", "big5-hkscs",
            "euc-kr", "x-windows-949",
            "gbk", "gb18030",
            "iso-8859-8-i", "iso-8859-8",
            "macintosh", "x-MacRoman",
            "shift_jis", "windows-31j",
            "windows-874", "x-windows-874",
            "x-mac-cyrillic", "x-MacCyrillic");

    /** Returns a stream's bytes as they are, or as UTF-8 if the engine does not read the encoding. */
    static Source of(InputStream stream, Schema schema) throws IOException {
        if (schema.engineDecodes()) return stream::readNBytes;
        byte[] start = stream.readNBytes(3);
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(start), stream);
        return isMarked(start) ? whole::readNBytes : new Recoded(whole, charset(schema.encoding()));
    }

    /** Whether a file starts with a byte order mark, which counts more than what the schema states. */
    private static boolean isMarked(byte[] start) {
        for (int[] mark : new int[][] {{0xEF, 0xBB, 0xBF}, {0xFE, 0xFF}, {0xFF, 0xFE}}) {
            boolean same = start.length >= mark.length;
            for (int at = 0; same && at < mark.length; at++) same = (start[at] & 0xFF) == mark[at];
            if (same) return true;
        }
        return false;
    }

    private static Charset charset(String name) {
        try {
            return Charset.forName(NAMES.getOrDefault(name, name));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            String hint = "Convert the file to UTF-8 first.";
            String message = "Java cannot decode \"" + name + "\". " + hint;
            throw new StandinException("host/encoding", message, hint, unknown);
        }
    }

    /** A text in another encoding. What it has gone through is overwritten with zeros at its end. */
    final class Recoded implements Source {
        private static final int CHARS = 8192;

        private final InputStream stream;
        private final CharsetDecoder decoder;
        private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        private final ByteBuffer bytes = ByteBuffer.allocate(CHARS).limit(0);
        private final CharBuffer chars = CharBuffer.allocate(CHARS).limit(0);
        private boolean isEnded;

        private Recoded(InputStream stream, Charset charset) {
            this.stream = stream;
            decoder = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);
        }

        @Override
        public boolean isDecoded() {
            return true;
        }

        @Override
        public int fill(byte[] into, int from, int length) throws IOException {
            ByteBuffer out = ByteBuffer.wrap(into, from, length);
            while (encoder.encode(chars, out, isEnded).isUnderflow() && decode()) {}
            return out.position() - from;
        }

        /** Decodes the next characters. Returns false at the end. */
        private boolean decode() throws IOException {
            if (isEnded) {
                Arrays.fill(chars.array(), '\0');
                return false;
            }
            bytes.compact();
            int read = stream.read(bytes.array(), bytes.position(), bytes.remaining());
            isEnded = read < 0;
            bytes.position(bytes.position() + Math.max(read, 0)).flip();
            chars.compact();
            decoder.decode(bytes, chars, isEnded);
            if (isEnded) decoder.flush(chars);
            chars.flip();
            if (isEnded) Arrays.fill(bytes.array(), (byte) 0);
            return true;
        }
    }
}
