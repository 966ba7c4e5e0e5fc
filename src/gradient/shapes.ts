// What the arrays of a call to a kernel must have in common, whatever it runs on.
import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import type { Kernels } from "./kernels.js";

type Checked = "write" | "matrixProduct";

/** For each call, a check of its arguments. @throws {StandinError} `gradient/shape` */
export const shapes: { readonly [K in Checked]: (...given: Parameters<Kernels[K]>) => void } = {
  write(to, numbers) {
    expectLength("numbers", numbers, to.length);
  },
  matrixProduct(a, b, out, { rows, inner, columns }) {
    expectLength("a", a, rows * inner);
    expectLength("b", b, inner * columns);
    expectLength("out", out, rows * columns);
  },
};

function expectLength(name: string, { length }: { readonly length: number }, wanted: number): void {
  if (length !== wanted)
    throw new StandinError(
      "gradient/shape",
      `Expected ${thousands(wanted)} numbers in ${name}, but found ${thousands(length)}.`,
    );
}
