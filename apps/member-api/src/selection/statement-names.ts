/** Runs before a statement gets a name. */
const WORTH_IT = 3;
const PER_HOUR = 200;

/**
 * Names for prepared statements. PostgreSQL keeps a named statement and its plan on every connection until the
 * connection closes, and clients choose the documents. So only repeated statements get a name, and the number of names
 * per hour is limited. All other statements are planned on each run.
 */
export class StatementNames {
  #given = 0;
  #hour = -1;
  #next = 1;

  /** Returns a name for a statement after its number of runs; undefined when it gets none yet. */
  name(runs: number): string | undefined {
    if (runs < WORTH_IT) return undefined;
    const hour = Math.floor(Date.now() / 3_600_000);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#given = 0;
    }
    if (this.#given >= PER_HOUR) return undefined;
    this.#given += 1;
    return `selection_${this.#next++}`;
  }
}
