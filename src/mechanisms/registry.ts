import { shownValue } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { aim } from "./aim.js";
import { dualQuery } from "./dual-query.js";
import { fem } from "./fem.js";
import { hdmm } from "./hdmm.js";
import type { Mechanism } from "./mechanism.js";
import { mst } from "./mst.js";
import { mwem } from "./mwem.js";
import { mwemPast } from "./mwem-past.js";
import { mwemPgm } from "./mwem-pgm.js";
import { AUTO, type MechanismName } from "./options.js";
import { pep } from "./pep.js";
import { pepPub } from "./pep-pub.js";
import { pgm } from "./pgm.js";
import { pmwPub } from "./pmw-pub.js";
import { privateGsd } from "./private-gsd.js";
import { rap } from "./rap.js";
import { rapPlusPlus } from "./rap-plus-plus.js";
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
  hdmm,
  "rap++": rapPlusPlus,
  fem,
  "dual-query": dualQuery,
  mwem,
  "mwem-past": mwemPast,
  pep,
  "pmw-pub": pmwPub,
  "pep-pub": pepPub,
};

/** The mechanism of this name. @throws {StandinError} `mechanism/unknown` */
export function mechanismNamed(name: string): Mechanism {
  const found = Object.entries(MECHANISMS).find(([known]) => known === name);
  if (found) return found[1];
  throw new StandinError(
    "mechanism/unknown",
    `${shownValue(name)} is not a mechanism.`,
    `Mechanisms: ${Object.keys(MECHANISMS).join(", ")}; or ${AUTO}.`,
  );
}
