/**
 * `node run-generators.ts '[{ "generator": …, "name": …, … }, …]'`: runs generators one after the other, as `nx g` runs
 * one, and prints the results. Each start of Nx takes seconds.
 */
import { generate } from 'nx/src/command-line/generate/generate';

export interface Call {
  readonly generator: string;
  readonly name: string;
  readonly [option: string]: string;
}

export interface Generated {
  /** The exit code of `nx g`. */
  readonly code: number;
  readonly output: string;
}

const calls = JSON.parse(process.argv[2] ?? '') as readonly Call[];
const results: Generated[] = [];
const { stdout, stderr } = process;
const writes = [stdout.write, stderr.write] as const;
for (const { generator, name, ...options } of calls) {
  const printed: string[] = [];
  stdout.write = stderr.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  const code = await generate({ generator, _: [name], ...options });
  [stdout.write, stderr.write] = writes;
  results.push({ code, output: printed.join('') });
}
stdout.write(JSON.stringify(results));
