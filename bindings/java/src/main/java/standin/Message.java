package standin;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Requests and answers: JSON and further parts, as bytes that the core reads and writes. */
record Message(JsonElement json, List<String> parts) {
    static final Gson JSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    /** The number of a message's parts and their lengths, each 4 bytes, then the parts. */
    static byte[] packed(Map<String, ?> request, byte[]... further) {
        List<byte[]> parts = new ArrayList<>();
        try {
            parts.add(JSON.toJson(request).getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notJson) {
            throw new StandinException("host/request", "An option is not a JSON value.", "", notJson);
        }
        parts.addAll(List.of(further));
        int bytes = parts.stream().mapToInt(part -> 4 + part.length).sum();
        ByteBuffer message = ByteBuffer.allocate(4 + bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(parts.size());
        parts.forEach(part -> message.putInt(part.length));
        parts.forEach(message::put);
        return message.array();
    }

    static Message unpacked(byte[] bytes) {
        ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int[] lengths = new int[message.getInt()];
        for (int at = 0; at < lengths.length; at++) lengths[at] = message.getInt();
        List<String> parts = new ArrayList<>();
        for (int length : lengths) {
            parts.add(new String(bytes, message.position(), length, StandardCharsets.UTF_8));
            message.position(message.position() + length);
        }
        return new Message(JsonParser.parseString(parts.remove(0)), parts);
    }

    /** The answer's value, as a record with its members. */
    <Value> Value as(Class<Value> type) {
        return JSON.fromJson(json, type);
    }

    /** A member of the answer's value. */
    JsonElement member(String name) {
        return json.getAsJsonObject().get(name);
    }

    static List<String> texts(JsonElement list) {
        return JSON.fromJson(list, new TypeToken<List<String>>() {});
    }

    private record Refusal(String code, String message, String hint) {}

    /** Returns the answer's value. Throws the error that it holds instead. */
    Message value() {
        JsonObject answer = json.getAsJsonObject();
        if (!answer.has("error")) return new Message(answer.get("value"), parts);
        Refusal refusal = JSON.fromJson(answer.get("error"), Refusal.class);
        throw new StandinException(refusal.code, refusal.message, refusal.hint == null ? "" : refusal.hint, null);
    }
}
