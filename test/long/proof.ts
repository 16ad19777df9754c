/** One number of a proof, with its minimum or maximum. */
export interface Figure {
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  readonly at_least?: number;
  readonly at_most?: number;
}

/** Figures with more facts, which the file of the proof has beside them. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Facts of the run that a proof may write into its file. */
export interface ProofRun {
  readonly commit: string;
  /** True when files differ from the commit. */
  readonly modified: boolean;
  readonly date: string;
  /** The file of the last run, if any. */
  readonly former: Readonly<Record<string, unknown>> | undefined;
}

/** A proof that takes too long for `npm test`. */
export interface Proof {
  /** The name of its file in docs/proofs. */
  readonly name: string;
  readonly title: string;
  /** The reason why this machine cannot run the proof. */
  readonly obstacle?: () => string | undefined;
  /** Rejects when there are no figures. */
  readonly run: (scratch: string, current: ProofRun) => Promise<readonly Figure[] | Findings>;
}

export function findingsOf(result: readonly Figure[] | Findings): Findings {
  return 'figures' in result ? result : { figures: result, details: {} };
}

export function isReached({ value, at_least, at_most }: Figure): boolean {
  return Number.isFinite(value) && value >= (at_least ?? -Infinity) && value <= (at_most ?? Infinity);
}
