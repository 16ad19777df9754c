export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The value below which the share `q` of the sorted values lies (nearest rank). */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) throw new Error('There is no quantile of nothing');
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) throw new Error('There is no spread of nothing');
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { min: sorted[0]!, median, max: sorted.at(-1)! };
}

/**
 * Ours ÷ baseline, round by round: the two of a round ran one right after the other, so other load of the machine was
 * about the same for both.
 */
export function ratios(ours: readonly number[], baseline: readonly number[]): number[] {
  if (ours.length !== baseline.length)
    throw new Error(`${ours.length} rounds against ${baseline.length} have no ratios`);
  return ours.map((value, round) => {
    const other = baseline[round]!;
    if (!(value > 0) || !(other > 0)) throw new Error(`Round ${round + 1} measured nothing`);
    return value / other;
  });
}

export function isReached(ratio: Spread, goal: number): boolean {
  return ratio.median >= goal;
}
