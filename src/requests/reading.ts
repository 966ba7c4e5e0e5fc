// Requests that read a file whose bytes the host writes into the engine.
import type { Table } from "../core/table.js";
import { encodingOf } from "../files/bytes.js";
import { type EngineReader, HostedReader } from "../files/hosted-reader.js";
import { StoreReader } from "../files/store-reader.js";
import { CheckReader, type TableCheck } from "../owner/check.js";
import { type Proposal, ProposalReader, type ProposeOptions } from "../owner/propose.js";
import { begunColumns, COLUMN_READER } from "./columns.js";
import { schemaOf, shelf } from "./held.js";
import { count, type Given, type Handler, type Message, message } from "./message.js";

const [TABLE, PROPOSAL, CHECK] = ["table reader", "proposal reader", "check reader"];
const READERS = [TABLE, PROPOSAL, CHECK];

export const READING: Readonly<Record<string, Handler>> = {
  read(given) {
    if (given.columns) return begunColumns(given);
    const schema = schemaOf(given);
    return begun(TABLE, given, new StoreReader(schema), encodingOf(schema));
  },

  propose(given) {
    const reader = new ProposalReader((given.options ?? {}) as ProposeOptions);
    const onEncoding = (name: string) => {
      reader.encoding = name;
    };
    return begun(PROPOSAL, given, reader, reader.statedEncoding ?? onEncoding);
  },

  check(given) {
    const schema = schemaOf(given);
    return begun(CHECK, given, new CheckReader(schema), encodingOf(schema));
  },

  room: ({ reader, bytes }) => message(readerOf(READERS, reader).room(count(bytes))),

  took({ reader, bytes }) {
    readerOf(READERS, reader).took(count(bytes));
    return message(null);
  },

  table({ reader }) {
    const read = readerOf<Table>([TABLE, COLUMN_READER], reader);
    const table = read.end();
    shelf.forget(reader);
    return message({ table: shelf.put("table", table, () => read.close()), columns: table.names });
  },

  proposal: ({ reader }) => ended(readerOf<Proposal>(PROPOSAL, reader), reader),
  checked: ({ reader }) => ended(readerOf<TableCheck>(CHECK, reader), reader),
};

function begun<Result>(
  kind: string,
  { decoded }: Given,
  reader: EngineReader<Result>,
  encoding: string | ((name: string) => void),
): Message {
  const hosted = new HostedReader(reader, decoded ? "utf-8" : encoding);
  return message({ reader: shelf.put(kind, hosted, () => hosted.close()) });
}

const readerOf = <Result>(kinds: string | readonly string[], number: unknown) =>
  shelf.get<HostedReader<Result>>(kinds, number);

/** Ends a reader of which nothing is left but its result. */
async function ended(reader: HostedReader<object>, number: unknown): Promise<Message> {
  const result = reader.end();
  await shelf.drop(number);
  return message(result);
}
