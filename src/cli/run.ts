import { type Output, openOutput } from "./output.js";
import { say } from "./stderr.js";

/** The state of a run: what to undo and what to say when a signal or an error ends it early. */
export class Run {
  /** Once this is set, no error may show its cause, because it could reveal something about a row. */
  privateDataOpened = false;
  /** What has been spent or kept so far, and how to continue. Printed if the run ends early. */
  outcome: string | undefined;
  readonly #outputs: Output[] = [];

  /** Opens an output that is discarded if the run ends early. @throws {StandinError} `files/…` */
  open(path: string): Output {
    const output = openOutput(path);
    this.#outputs.push(output);
    return output;
  }

  /** Undoes what is not in place, and says what remains. @param lines why the run ends */
  end(...lines: readonly string[]): void {
    for (const output of this.#outputs) output.discard();
    for (const line of lines) say(line);
    if (this.outcome) say(this.outcome);
  }
}
