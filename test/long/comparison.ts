import { execFileSync } from 'node:child_process';
import { styleText } from 'node:util';
import type { Figure } from './proof.ts';

/** Figures of the same program differ by less between two runs. */
const TOLERANCE = 0.15;

export interface Regression {
  readonly title: string;
  readonly unit: string;
  readonly before: number;
  readonly now: number;
}

/** The figures with a goal that are worse than before by more than the tolerance. Others are not compared. */
export function regressions(now: readonly Figure[], before: readonly Figure[]): Regression[] {
  const former = new Map(before.map(({ title, value }) => [title, value]));
  return now.flatMap(({ title, unit, value, at_least, at_most }) => {
    const then = former.get(title);
    if (then === undefined || !Number.isFinite(then)) return [];
    const isKept =
      (at_least === undefined || value >= then * (1 - TOLERANCE)) &&
      (at_most === undefined || value <= then * (1 + TOLERANCE));
    return isKept ? [] : [{ title, unit, before: then, now: value }];
  });
}

/** A red line for each regression. */
export function regressionLines(found: readonly Regression[]): string[] {
  const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
  return found.map(({ title, unit, before, now }) =>
    styleText(
      'red',
      `  worse than the last release: ${title}: ${number(now)} ${unit}, before ${number(before)} ${unit}`,
    ),
  );
}

/** The figures of a proof in the last commit; none if it has not run yet. */
export function committedFigures(root: string, proof: string): readonly Figure[] {
  try {
    const text = execFileSync('git', ['show', `HEAD:docs/proofs/${proof}.json`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return (JSON.parse(text) as { readonly figures: readonly Figure[] }).figures;
  } catch {
    return [];
  }
}
