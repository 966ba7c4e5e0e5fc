/** The same object in another place: whatever a method returns comes as a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : T[K];
};

/** An object of this place, used as one of another. */
export function remote<T extends object>(local: T): Remote<T> {
  return new Proxy(local, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      return typeof member === "function" ? async (...given: unknown[]) => member.apply(target, given) : member;
    },
  }) as Remote<T>;
}
