/** One planted fault. */
export interface Mutant {
  /** The wrong behavior. */
  readonly fault: string;
  /** A source of a package, which has `from` once. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The suite of the package that finds it. */
  readonly spec: string;
}
