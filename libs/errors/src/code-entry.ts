/** The documentation of a code, from which the page under `/docs/errors/` is generated. */
export interface CodeEntry {
  /** The same for every occurrence (RFC 9457 §3.1.3). */
  readonly title: string;
  /** When the code is returned. */
  readonly meaning: string;
  /** A remedy for the caller. */
  readonly remedy: string;
}
