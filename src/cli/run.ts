import { type Output, openOutput } from "./output.js";
import { say } from "./stderr.js";

/** What a run has in hand: what to undo and what to say when a signal or an error ends it early. */
export class Run {
  /** From here on no error may show its cause: it could tell about a row. */
  privateDataOpened = false;
  /** What has been spent or kept so far, and how to go on: told if the run ends early. */
  outcome: string | undefined;
  readonly #outputs: Output[] = [];

  /** Opens an output that is discarded if the run ends early. @throws {StandinError} `files/…` */
  open(path: string): Output {
    const output = openOutput(path);
    this.#outputs.push(output);
    return output;
  }

  /** Undoes what is not in place, and says what remains. */
  end(sentence: string): void {
    for (const output of this.#outputs) output.discard();
    say(sentence);
    if (this.outcome) say(this.outcome);
  }
}
