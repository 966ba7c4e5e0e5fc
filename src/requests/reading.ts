// Requests that read a file whose bytes the host writes into the engine.
import { StoredReader } from "../files/stored-reader.js";
import { schemaOf, shelf } from "./held.js";
import { type Handler, message } from "./message.js";

export const READING: Readonly<Record<string, Handler>> = {
  read(given) {
    const reader = new StoredReader(schemaOf(given));
    return message({ reader: shelf.put("reader", reader, () => reader.close()) });
  },

  room({ reader, bytes }) {
    const stored = shelf.get<StoredReader>("reader", reader);
    return message({ instance: stored.engine.number, ...stored.room(bytes as number) });
  },

  took({ reader, bytes }) {
    shelf.get<StoredReader>("reader", reader).took(bytes as number);
    return message(null);
  },

  table({ reader }) {
    const stored = shelf.get<StoredReader>("reader", reader);
    const table = stored.end();
    shelf.forget(reader);
    return message({ table: shelf.put("table", table, () => stored.close()), columns: table.names });
  },
};
