// What kernels of gradient models refuse, wherever they run: whatever could harm other arrays, or the GPU that others
// share.
import { describe, expect, it } from "vitest";
import type { Floats, Indices, Kernels } from "../src/core/kernels.js";
import { randomFloats } from "./floats.js";
import type { Desk, GradientEngine, Work } from "./gradient-engines.js";
import { occurrences } from "./occurrences.js";
import type { Remote } from "./remote.js";

/** A call, and what it may be given. */
interface Call {
  /** How many floats each of these arrays has. */
  readonly floats: Readonly<Record<string, number>>;
  /** What these arrays hold, and the least index that none of them may hold. */
  readonly indices?: Readonly<Record<string, readonly [content: readonly number[], bad: number]>>;
  readonly numbers?: Readonly<Record<string, number>>;
  /** The arrays that may be longer than they must be. */
  readonly longer?: readonly string[];
  /** Whether it may write over what it is given. */
  readonly inPlace?: boolean;
  run(kernels: Remote<Kernels>, given: Given): Promise<unknown>;
}

interface Given {
  readonly floats: Record<string, Floats>;
  readonly indices: Record<string, Indices>;
  readonly numbers: Record<string, number>;
}

/** Two rows of three lines, and five queries. */
const [ROWS, WIDTH, COUNT] = [2, 3, 5];
const X = ROWS * WIDTH;
const LINES = [0, 1, 2, 2, 1, 0, 0, 2, 1, 2];
const BLOCKS = { blocks: [[0, 1, 3], 4] } as const;
const namedBy = (lines: readonly number[]) => {
  const { starts, places } = occurrences(lines, WIDTH);
  const { length } = lines;
  return { lines: [lines, WIDTH], starts: [starts, length + 1], places: [places, length] } as const;
};
const PRODUCTS = { indices: namedBy(LINES), numbers: { rows: ROWS, order: 2, count: COUNT } };

const simplex = (name: "softmax" | "sparsemax"): Call => ({
  ...{ floats: { x: X, out: X }, indices: BLOCKS, numbers: { rows: ROWS }, inPlace: true },
  run: (kernels, { floats: { x, out }, indices, numbers }) => kernels[name](x, indices.blocks, numbers.rows, out),
});
const simplexGradient = (name: "softmaxGradient" | "sparsemaxGradient"): Call => ({
  ...{ floats: { p: X, slope: X, into: X }, indices: BLOCKS, numbers: { rows: ROWS } },
  run: (kernels, { floats: { p, slope, into }, indices, numbers }) =>
    kernels[name](p, slope, indices.blocks, numbers.rows, into),
});
const products = ({ indices: { lines }, numbers: { order, count } }: Given) => ({ lines, order, count });
const CLOSED = { code: "gradient/array", message: "Expected kernels that are open, but found closed ones." };

const CALLS: Readonly<Record<Exclude<keyof Kernels, "engine" | "floats" | "indices" | "free" | "close">, Call>> = {
  read: { floats: { from: 4 }, run: (kernels, { floats }) => kernels.read(floats.from) },
  clear: { floats: { array: 4 }, run: (kernels, { floats }) => kernels.clear(floats.array) },
  write: { floats: { to: 4 }, run: (kernels, { floats }) => kernels.write(floats.to, new Float32Array(4)) },
  matrixProduct: {
    ...{ floats: { a: 6, b: 12, out: 8 }, longer: ["b", "out"], numbers: { rows: 2, inner: 3, columns: 4 } },
    run: (kernels, { floats: { a, b, out }, numbers: { rows, inner, columns } }) =>
      kernels.matrixProduct(a, b, out, { rows, inner, columns }),
  },
  softmax: simplex("softmax"),
  softmaxGradient: simplexGradient("softmaxGradient"),
  sparsemax: simplex("sparsemax"),
  sparsemaxGradient: simplexGradient("sparsemaxGradient"),
  productQueries: {
    ...{ floats: { x: X, answers: COUNT }, numbers: PRODUCTS.numbers },
    indices: { lines: PRODUCTS.indices.lines },
    run: (kernels, given) =>
      kernels.productQueries(given.floats.x, given.numbers.rows, products(given), given.floats.answers),
  },
  productQueriesGradient: {
    ...{ floats: { x: X, slope: COUNT, into: X }, ...PRODUCTS },
    run: (kernels, given) => {
      const { x, slope, into } = given.floats;
      const queries = { ...products(given), starts: given.indices.starts, places: given.indices.places };
      return kernels.productQueriesGradient(x, given.numbers.rows, queries, slope, into);
    },
  },
  sigmoid: {
    floats: { sums: COUNT * ROWS, thresholds: COUNT, out: COUNT * ROWS + X },
    numbers: { rows: ROWS, scale: 4 },
    run: (kernels, { floats: { sums, thresholds, out }, numbers: { rows, scale } }) =>
      kernels.sigmoid(sums, rows, thresholds, scale, out),
  },
  sigmoidGradient: {
    floats: { p: COUNT * ROWS + X, slope: COUNT * ROWS + X, into: COUNT * ROWS },
    numbers: { rows: ROWS, scale: 4 },
    run: (kernels, { floats: { p, slope, into }, numbers: { rows, scale } }) =>
      kernels.sigmoidGradient(p, rows, scale, slope, into),
  },
  adam: {
    floats: { parameters: 7, slope: 7, first: 7, second: 7 },
    numbers: { step: 3, rate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-8 },
    run: (kernels, { floats: { parameters, slope, first, second }, numbers }) => {
      const { step, rate, beta1, beta2, epsilon } = numbers;
      return kernels.adam(parameters, slope, first, second, { step, rate, beta1, beta2, epsilon });
    },
  },
  batchNorm: {
    floats: { x: X, gain: WIDTH, bias: WIDTH, out: X, statistics: 2 * WIDTH },
    numbers: { rows: ROWS, epsilon: 1e-5 },
    run: (kernels, { floats: { x, gain, bias, out, statistics }, numbers: { rows, epsilon } }) =>
      kernels.batchNorm(x, rows, gain, bias, epsilon, out, statistics),
  },
  batchNormGradient: {
    floats: { x: X, gain: WIDTH, statistics: 2 * WIDTH, slope: X, into: X, intoGain: WIDTH, intoBias: WIDTH },
    numbers: { rows: ROWS },
    run: (kernels, { floats, numbers: { rows } }) => {
      const { x, gain, statistics, slope, into, intoGain, intoBias } = floats;
      return kernels.batchNormGradient(x, rows, gain, statistics, slope, into, intoGain, intoBias);
    },
  },
};

/** What no number may be. */
const BAD = [-1, NaN, Infinity, 1e300];
const BAD_WHOLES = [...BAD, 0.5, 1.5, 2 ** 31, 2 ** 32 + 2];
const BAD_FRACTIONS: Readonly<Record<string, readonly number[]>> = {
  ...{ scale: [...BAD, 0, 1e-60], epsilon: [...BAD, 0, 1e-60] },
  ...{ rate: [NaN, Infinity, 1e300], beta1: [...BAD, 1], beta2: [...BAD, 1] },
};

/** Calls with one thing wrong, and how they are refused. */
async function* misuses(call: Call, given: Given, { kernels, floats, indices }: Desk, other: Remote<Kernels>) {
  const [shape, array] = ["gradient/shape", "gradient/array"];
  const withFloats = (changed: Record<string, Floats>) => ({ ...given, floats: { ...given.floats, ...changed } });
  const withIndices = (changed: Record<string, Indices>) => ({ ...given, indices: { ...given.indices, ...changed } });
  const freed = await kernels.floats(4);
  await kernels.free(freed);
  const list = await indices([0]);
  for (const [name, length] of Object.entries(call.floats)) {
    yield [array, `${name} is freed`, withFloats({ [name]: freed })] as const;
    yield [array, `${name} is of other kernels`, withFloats({ [name]: await other.floats(length) })] as const;
    yield [array, `${name} is of indices`, withFloats({ [name]: list })] as const;
    yield [array, `${name} is no array`, withFloats({ [name]: { length } })] as const;
    const alike = Object.keys(call.floats).find((rival) => rival !== name && call.floats[rival] === length);
    if (alike && !call.inPlace)
      yield [array, `${name} is ${alike}, too`, withFloats({ [name]: given.floats[alike] })] as const;
    const wrong = call.longer?.includes(name) ? length - 1 : length + 1;
    if (call.numbers || alike)
      yield [shape, `${name} has ${wrong} numbers`, withFloats({ [name]: await floats(wrong) })] as const;
  }
  for (const [name, [content, bad]] of Object.entries(call.indices ?? {})) {
    yield [array, `${name} are floats`, withIndices({ [name]: await floats(content.length) })] as const;
    for (const changed of [content.with(-1, bad), content.with(-1, 2 ** 30), content.with(0, 2 ** 32 - 1), []])
      yield [shape, `${name} are ${changed}`, withIndices({ [name]: await indices(changed) })] as const;
    const [down, short] = [content.with(0, 2).with(1, 1), content.with(-1, bad - 2)];
    for (const changed of { blocks: [down], starts: [down, short] }[name] ?? [])
      yield [shape, `${name} are ${changed}`, withIndices({ [name]: await indices(changed) })] as const;
  }
  for (const name of Object.keys(call.numbers ?? {}))
    for (const bad of BAD_FRACTIONS[name] ?? BAD_WHOLES)
      yield [shape, `${name} is ${bad}`, { ...given, numbers: { ...given.numbers, [name]: bad } }] as const;
}

/** Arrays that a call takes. */
async function fitting({ floats, indices }: Pick<Desk, "floats" | "indices">, call: Call): Promise<Given> {
  const made: Given = { floats: {}, indices: {}, numbers: { ...call.numbers } };
  for (const [name, length] of Object.entries(call.floats))
    made.floats[name] = await floats(randomFloats(length, length));
  for (const [name, [content]] of Object.entries(call.indices ?? {})) made.indices[name] = await indices(content);
  return made;
}

const contents = async (kernels: Remote<Kernels>, { floats }: Given) =>
  Promise.all(Object.values(floats).map((array) => kernels.read(array)));

/** For `describeOn`. */
export function refusesMisuse(work: Work, open: GradientEngine["open"]): void {
  describe.each(Object.entries(CALLS))("%s", (_, call) => {
    it("refuses arrays, indices and numbers that do not fit, without effect", () =>
      work(async (desk) => {
        const { kernels } = desk;
        const [fit, other] = [await fitting(desk, call), await open()];
        const before = await contents(kernels, fit);
        for await (const [code, what, changed] of misuses(call, fit, desk, other)) {
          const refused = { code, message: expect.stringMatching(/^Expected .+, but found .+\.$/) };
          await expect(call.run(kernels, changed), what).rejects.toMatchObject(refused);
        }
        expect(await contents(kernels, fit)).toEqual(before);
        await call.run(kernels, fit);
        await other.close();
      }));

    it("refuses all arrays once the kernels are closed", async () => {
      const kernels = await open();
      const indices = (content: readonly number[]) => kernels.indices(Uint32Array.from(content));
      const fit = await fitting({ floats: kernels.floats, indices }, call);
      await call.run(kernels, fit);
      await kernels.close();
      await expect(call.run(kernels, fit)).rejects.toMatchObject(CLOSED);
    });
  });

  it("makes and frees no arrays that cannot be, nor any once the kernels are closed", async () => {
    const [kernels, other] = [await open(), await open()];
    for (const count of [-1, 0.5, 1.5, NaN, Infinity])
      await expect(kernels.floats(count)).rejects.toMatchObject({ code: "gradient/shape" });
    const [array, freed, foreign] = [await kernels.floats(1), await kernels.floats(0), await other.floats(1)];
    await kernels.free(freed);
    for (const none of [freed, foreign, { length: 1 }])
      await expect(kernels.free(none)).rejects.toMatchObject({ code: "gradient/array" });
    await kernels.close();
    await kernels.close();
    await expect(kernels.floats(1)).rejects.toMatchObject(CLOSED);
    await expect(kernels.floats(Float32Array.of(1))).rejects.toMatchObject(CLOSED);
    await expect(kernels.indices(Uint32Array.of(1))).rejects.toMatchObject(CLOSED);
    await expect(kernels.free(array)).rejects.toMatchObject(CLOSED);
    expect(await other.read(foreign)).toEqual(new Float32Array(1));
    await other.close();
  });

  it("refuses sizes that are negative or fractions, even where their products fit", () =>
    work(async (desk) => {
      const { kernels, floats } = desk;
      for (const [rows, inner, columns] of [
        [-2, -3, -4],
        [0.5, 2, 2],
        [2, 0.5, 2],
        [2, 2, 0.5],
      ]) {
        const [a, b] = [await floats(rows * inner), await floats(inner * columns)];
        const product = kernels.matrixProduct(a, b, await floats(rows * columns), { rows, inner, columns });
        await expect(product).rejects.toMatchObject({ code: "gradient/shape" });
      }
      const { floats: fit, ...others } = await fitting(desk, CALLS.productQueries);
      const changed = {
        ...others,
        floats: { ...fit, answers: await floats(4) },
        numbers: { rows: 2, order: 2.5, count: 4 },
      };
      await expect(CALLS.productQueries.run(kernels, changed)).rejects.toMatchObject({ code: "gradient/shape" });
    }));

  it("takes blocks without lines, but not so many that they keep it busy for ages", () =>
    work(async ({ kernels, floats, indices }) => {
      const [none, out, blocks] = [await floats(0), await floats(0), await indices([0, 0, 0])];
      await kernels.softmax(none, blocks, 1000, out);
      await expect(kernels.softmax(none, blocks, 2 ** 30, out)).rejects.toMatchObject({ code: "gradient/shape" });
    }));
}
