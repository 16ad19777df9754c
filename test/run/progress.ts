import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { dueSuites, resultFile, titleOf, type TestPackage } from './results.ts';

/** The entry of the Jest reporter for each finished suite. */
interface Finished {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** The messages of its failures, if any. */
  readonly message?: string;
}

/**
 * Follows the suites of one step: one line for each that has finished, with its failures, and one for each package from
 * the cache.
 */
export class Progress {
  readonly #began = performance.now();
  readonly #root: string;
  readonly #file: string;
  /** Packages and groups without a finished suite, with their suites. */
  readonly #waiting: Map<TestPackage, ReadonlySet<string>>;
  readonly #all: number;
  #read = 0;
  #done = 0;

  constructor(root: string, file: string, packages: readonly TestPackage[]) {
    this.#root = root;
    this.#file = file;
    this.#waiting = new Map(packages.map((tested) => [tested, new Set(dueSuites(root, tested))]));
    this.#all = [...this.#waiting.values()].reduce((sum, suites) => sum + suites.size, 0);
  }

  /** Lines for suites that have finished since the last call. */
  news(): string[] {
    // The order matters: results without a finished suite come from the cache.
    const withResults = [...this.#waiting.keys()].filter((tested) => existsSync(resultFile(this.#root, tested)));
    const lines = this.#finished().map((finished) => this.#suiteLine(finished));
    for (const tested of withResults) {
      const suites = this.#waiting.get(tested);
      if (suites === undefined) continue;
      this.#waiting.delete(tested);
      this.#done += suites.size;
      lines.push(this.#line(`${titleOf(tested)}  ${suites.size} suites from the cache`));
    }
    return lines;
  }

  #finished(): Finished[] {
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '';
    const whole = text.slice(this.#read, text.lastIndexOf('\n') + 1);
    this.#read += whole.length;
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Finished);
  }

  #suiteLine({ suite, passed, failed, seconds, message }: Finished): string {
    const path = relative(this.#root, suite);
    for (const [tested, suites] of this.#waiting) if (suites.has(path)) this.#waiting.delete(tested);
    this.#done += 1;
    const counts = failed > 0 ? `${passed} passed, ${failed} FAILED` : `${passed} passed`;
    const line = this.#line(`${path}  ${counts} in ${seconds.toFixed(1)} s`);
    return message ? `${line}\n${message.trimEnd().replaceAll(/^(?=.)/gm, '      ')}` : line;
  }

  #line(text: string): string {
    const all = String(this.#all);
    const seconds = ((performance.now() - this.#began) / 1_000).toFixed(0);
    return `    ${String(this.#done).padStart(all.length)}/${all}  ${seconds.padStart(4)} s  ${text}`;
  }
}
