import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The samples of a committed file, from which suites of other packages read what a package makes. With
 * `WRITE_SAMPLES=1` the file gets the given samples before.
 */
export function committedSamples(file: string, samples: unknown): unknown {
  if (process.env['WRITE_SAMPLES'] !== undefined) writeFileSync(file, `${JSON.stringify(samples, null, 2)}\n`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
