// Dot plots (Cleveland, "The Elements of Graphing Data", 1985) as SVG: one line for each thing compared, and one dot on
// it for each variant.

export interface Dot {
  readonly line: string;
  readonly series: string;
  /** Above 0: the axis is logarithmic. */
  readonly value: number;
}

export interface Panel {
  readonly title: string;
  readonly dots: readonly Dot[];
}

/** Distinguishable with any type of colour vision (Okabe and Ito, "Color Universal Design", 2008). */
const COLOURS = ["#000000", "#e69f00", "#0072b2", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];
const [LINE, HEAD, FOOT, LABELS, WIDTH, GAP, RADIUS] = [18, 48, 26, 170, 330, 24, 4.5];
/** The axis is marked at these numbers times any power of ten: the first, or where it is short, the second. */
const [MARKS, MORE_MARKS] = [
  [1, 2, 5],
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
];

/** Panels side by side with the same lines and series. The first series is drawn last, so that it is on top. */
export function dotPlot(title: string, panels: readonly Panel[], series: readonly string[]): string {
  const used = series.filter((name) => panels.some(({ dots }) => dots.some((dot) => dot.series === name)));
  const colourOf = new Map(used.map((name, at) => [name, COLOURS[at % COLOURS.length]]));
  const lines = [...new Set(panels.flatMap(({ dots }) => dots.map(({ line }) => line)))];
  const bottom = HEAD + LINE * lines.length;
  const width = LABELS + panels.length * (WIDTH + GAP);
  const middleOf = (line: string) => HEAD + LINE * (lines.indexOf(line) + 0.5);
  const parts = [
    ...lines.map((line) => text(LABELS - 10, middleOf(line) + 4, line, "end")),
    ...used.flatMap((name, at) => {
      const x = LABELS + 110 * at;
      return [circle(x, 14, colourOf.get(name)!), text(x + 10, 18, name)];
    }),
    ...panels.flatMap(({ title, dots }, place) => {
      const left = LABELS + place * (WIDTH + GAP);
      const { at, marks } = logAxis(dots.map(({ value }) => value));
      return [
        text(left, HEAD - 10, title),
        ...marks.flatMap((mark) => {
          const x = left + WIDTH * at(mark);
          return [stroke(x, HEAD, x, bottom), text(x, bottom + 16, `${+mark.toPrecision(1)}`, "middle")];
        }),
        ...lines.map((line) => stroke(left, middleOf(line), left + WIDTH, middleOf(line))),
        ...dots
          .toSorted((a, b) => used.indexOf(b.series) - used.indexOf(a.series))
          .map(({ line, series, value }) => circle(left + WIDTH * at(value), middleOf(line), colourOf.get(series)!)),
      ];
    }),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + FOOT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** The position of a value between the ends of an axis, 0 to 1, and the round values to mark on it. */
function logAxis(values: readonly number[]) {
  const [low, high] = [Math.min(...values) / 1.1, Math.max(...values) * 1.1].map(Math.log10);
  const marks: number[] = [];
  for (let power = Math.floor(low); power <= high; power++)
    for (const mark of high - low < 0.5 ? MORE_MARKS : MARKS) {
      const value = mark * 10 ** power;
      if (Math.log10(value) >= low && Math.log10(value) <= high) marks.push(value);
    }
  return { at: (value: number) => (Math.log10(value) - low) / (high - low), marks };
}

const place = (value: number): string => `${+value.toFixed(1)}`;
const circle = (x: number, y: number, colour: string) =>
  `<circle cx="${place(x)}" cy="${place(y)}" r="${RADIUS}" fill="${colour}" fill-opacity="0.85"/>`;
const stroke = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${place(x1)}" y1="${place(y1)}" x2="${place(x2)}" y2="${place(y2)}" stroke="#dddddd"/>`;
const text = (x: number, y: number, words: string, anchor = "start") =>
  `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
const escaped = (words: string): string => words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
