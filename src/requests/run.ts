import { StandinError } from "../core/errors.js";
import type { Signal } from "../core/progress.js";
import type { Message } from "./message.js";

/**
 * A job that stops wherever something has to leave it, and goes on when the caller asks for what comes next. So what it
 * hands over (a charge, a round) is kept before more is drawn.
 */
export class Run {
  readonly #done: Promise<Message>;
  #event: Promise<Message>;
  #handOver!: (event: Message) => void;
  /** Lets the job go on after the event that it handed over last. */
  #goOn: (() => void) | undefined;
  /** Ends it there instead. */
  #stop: ((error: StandinError) => void) | undefined;
  #isClosed = false;
  /** The same, once the caller has the event. */
  #release: (() => void) | undefined;

  /**
   * @param job gets a function that hands over an event, and resolves when the caller asks for the next one; and a
   *   signal to stop
   * @param caller says whether the caller has cancelled
   */
  constructor(job: (tell: (event: Message) => Promise<void>, signal: Signal) => Promise<Message>, caller: Signal) {
    const signal: Signal = {
      throwIfAborted: () => {
        if (this.#isClosed) throw dropped();
        caller.throwIfAborted();
      },
    };
    this.#event = this.#nextEvent();
    this.#done = job(async (event) => {
      signal.throwIfAborted();
      this.#handOver(event);
      await new Promise<void>((resolve, reject) => {
        this.#goOn = resolve;
        this.#stop = reject;
      });
    }, signal);
    this.#done.catch(() => {}); // whoever asks for the next event gets the error
  }

  /** The next event, or what the job returned. @throws what the job throws */
  async next(): Promise<Message> {
    this.#release?.();
    const event = await Promise.race([this.#event, this.#done]);
    this.#release = this.#goOn;
    this.#event = this.#nextEvent();
    return event;
  }

  /** Ends the job, wherever it is, so that it overwrites the rows that it holds. Resolves when it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop?.(dropped());
    await this.#done.catch(() => {});
  }

  #nextEvent(): Promise<Message> {
    return new Promise((resolve) => {
      this.#handOver = resolve;
    });
  }
}

const dropped = () => new StandinError("host/cancelled", "The caller has dropped the run.");
