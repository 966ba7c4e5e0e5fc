/** How many of its last steps the method remembers. */
const REMEMBERED = 10;
/** The most steps, and the most points that are tried on the way of one. */
const [MOST_STEPS, MOST_TRIES] = [5000, 40];
/** A step ends where the slope is between the first slope times these: the approximate Wolfe conditions. */
const [STEEPEST, HIGHEST] = [0.9, -0.8];
/** A step that finds no end is made longer by this factor; inside an interval it keeps this distance from the ends. */
const [LONGER, MARGIN] = [4, 0.1];

interface Step {
  readonly move: Float64Array;
  readonly change: Float64Array;
  /** 1 / move·change */
  readonly scale: number;
}

/**
 * Minimises a strictly convex function by its gradient alone: L-BFGS (Nocedal, 1980), with the line search of Hager and
 * Zhang (2005), which compares slopes. Values of the function would need logarithms, which hosts round differently.
 * Yields after each step.
 * @param gradientAt the gradient at a point, as a new array
 * @param size how many variables the function has; the first point is 0
 * @param tolerance ends once no component of the gradient is larger, or after 5,000 steps, or where rounding leaves no
 *   lower point
 */
export function* minimised(
  gradientAt: (point: Float64Array) => Float64Array,
  size: number,
  tolerance: number,
): Generator<void, Float64Array> {
  let point: Float64Array = new Float64Array(size);
  let gradient = gradientAt(point);
  const steps: Step[] = [];
  for (let count = 0; count < MOST_STEPS && largest(gradient) > tolerance; count++) {
    const direction = descentOf(gradient, steps);
    const first = steps.length ? 1 : 1 / Math.sqrt(dot(gradient, gradient));
    const next = search(gradientAt, point, direction, dot(gradient, direction), first);
    if (!next) break;
    const move = plus(next.point, -1, point);
    const change = plus(next.gradient, -1, gradient);
    steps.push({ move, change, scale: 1 / dot(move, change) });
    if (steps.length > REMEMBERED) steps.shift();
    ({ point, gradient } = next);
    yield;
  }
  return point;
}

/** The gradient times minus the inverse of what the steps say about the second derivatives. */
function descentOf(gradient: Float64Array, steps: readonly Step[]): Float64Array {
  let direction = gradient.map((value) => -value);
  const shares = steps.toReversed().map(({ move, change, scale }) => {
    const share = scale * dot(move, direction);
    direction = plus(direction, -share, change);
    return share;
  });
  const last = steps.at(-1);
  if (last) {
    const factor = 1 / (last.scale * dot(last.change, last.change));
    direction = direction.map((value) => factor * value);
  }
  for (const { move, change, scale } of steps)
    direction = plus(direction, shares.pop()! - scale * dot(change, direction), move);
  return direction;
}

/**
 * The point where a step ends, and the gradient there; `undefined` if rounding leaves none.
 * @param slope of the function along the direction, below 0
 * @param length the first one to be tried
 */
function search(
  gradientAt: (point: Float64Array) => Float64Array,
  start: Float64Array,
  direction: Float64Array,
  slope: number,
  length: number,
): { point: Float64Array; gradient: Float64Array } | undefined {
  let low = { length: 0, slope };
  let high: typeof low | undefined;
  for (let tries = 0; tries < MOST_TRIES && slope < 0; tries++) {
    const point = plus(start, length, direction);
    const gradient = gradientAt(point);
    const here = { length, slope: dot(gradient, direction) };
    if (here.slope > HIGHEST * slope) high = here;
    else if (here.slope < STEEPEST * slope) low = here;
    else return { point, gradient };
    if (high) {
      const zero = low.slope / (low.slope - high.slope);
      length = low.length + Math.min(1 - MARGIN, Math.max(MARGIN, zero)) * (high.length - low.length);
    } else length *= LONGER;
  }
  return undefined;
}

/** a + factor·b */
const plus = (a: Float64Array, factor: number, b: Float64Array) => a.map((value, at) => value + factor * b[at]);
const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
