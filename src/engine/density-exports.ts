/** The exports of assembly/density/. */
export interface DensityExports {
  densityOpen(density: number): void;
  scaleCell(density: number, table: number, cell: number, factor: number): void;
  scaleTable(density: number, table: number, factors: number): void;
  densityAnswers(density: number, tables: number, count: number, total: number, out: number): void;
  densityLoss(density: number, count: number): number;
  multiplyWeights(density: number, index: number, hasPast: boolean, repeats: number, seed: number): void;
  projectEntropy(density: number, count: number, most: number, tolerance: number): number;
  projectOne(density: number, index: number): void;
  shrinkAnswers(density: number, index: number, rows: number, noise: number): void;
  densityPoints(
    density: number,
    which: number,
    rows: number,
    seed: number,
    part: number,
    out: number,
    errors: number,
  ): void;
  pointCodes(density: number, points: number, rows: number, axis: number, out: number): void;
}
