import { shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { aim } from "./aim.js";
import type { Mechanism } from "./mechanism.js";
import { mst } from "./mst.js";
import { mwemPgm } from "./mwem-pgm.js";
import type { MechanismName } from "./options.js";
import { pgm } from "./pgm.js";
import { privateGsd } from "./private-gsd.js";
import { rap } from "./rap.js";
import { rapSoftmax } from "./rap-softmax.js";

/** A mechanism stands here under the name that its options have in `MECHANISM_OPTIONS`. */
const MECHANISMS: Readonly<Record<MechanismName, Mechanism>> = {
  "private-gsd": privateGsd,
  "rap-softmax": rapSoftmax,
  rap,
  mst,
  aim,
  "mwem-pgm": mwemPgm,
  pgm,
};

/** The mechanism of this name. @throws {StandinError} `mechanism/unknown` */
export function mechanismNamed(name: string): Mechanism {
  const found = Object.entries(MECHANISMS).find(([known]) => known === name);
  if (found) return found[1];
  throw new StandinError(
    "mechanism/unknown",
    `${shownValue(name)} is not a mechanism.`,
    `Mechanisms: ${Object.keys(MECHANISMS).join(", ")}.`,
  );
}
