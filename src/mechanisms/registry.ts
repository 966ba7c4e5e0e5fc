import { StandinError } from "../core/errors.js";
import type { Mechanism } from "./mechanism.js";
import { privateGsd } from "./private-gsd.js";

const MECHANISMS: readonly Mechanism[] = [privateGsd];

/** The mechanism of this name. @throws {StandinError} `mechanism/unknown` */
export function mechanismNamed(name: string): Mechanism {
  const found = MECHANISMS.find((mechanism) => mechanism.name === name);
  if (found) return found;
  throw new StandinError(
    "mechanism/unknown",
    `"${name}" is not a mechanism.`,
    `Mechanisms: ${MECHANISMS.map((mechanism) => mechanism.name).join(", ")}.`,
  );
}
