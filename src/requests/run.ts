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
  /** The same, once the caller has the event. */
  #release: (() => void) | undefined;

  /** @param job gets a function that hands over an event, and resolves when the caller asks for the next one */
  constructor(job: (tell: (event: Message) => Promise<void>) => Promise<Message>) {
    this.#event = this.#nextEvent();
    this.#done = job((event) => {
      this.#handOver(event);
      return new Promise((resolve) => {
        this.#goOn = resolve;
      });
    });
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

  #nextEvent(): Promise<Message> {
    return new Promise((resolve) => {
      this.#handOver = resolve;
    });
  }
}
