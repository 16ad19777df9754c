import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { regressionLines, regressions } from './comparison.ts';
import { measureOthers } from './processor-time.ts';
import { type Figure, findingsOf, isReached, type Proof, type ProofRun } from './proof.ts';

const UNSELECTED = 'No run has selected it yet.';

export interface Surroundings {
  /** The folder of the results: docs/proofs. */
  readonly directory: string;
  readonly commit: string;
  /** True when files differ from the commit. */
  readonly modified: boolean;
  readonly say: (text: string) => void;
  /** The figures of a proof in the last release. */
  readonly committed: (proof: string) => readonly Figure[];
  readonly interrupted?: () => boolean;
}

interface ProofFile {
  readonly name: string;
  readonly title: string;
  readonly state: 'passed' | 'failed';
  readonly commit: string;
  readonly modified: boolean;
  readonly date: string;
  readonly seconds: number;
  readonly machine: ReturnType<typeof thisMachine> & {
    /** The share of all processors, 0 to 1, that other programs used meanwhile. Times are too long then. */
    readonly share_of_others?: number | undefined;
  };
  readonly figures: readonly (Figure & { readonly reached: boolean })[];
}

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly state: ProofFile['state'] | 'not run';
  /** The commit of the last figures, if any. */
  readonly commit?: string;
  readonly date?: string;
  /** The reason why the proof was not run. */
  readonly reason?: string;
}

/**
 * Runs the selected proofs one after the other, and writes a file for each with figures. The index lists every
 * proof; those without figures have the reason. Returns true when all selected proofs have passed.
 */
export async function runProofs(
  proofs: readonly Proof[],
  selected: readonly string[],
  surroundings: Surroundings,
): Promise<boolean> {
  const { directory, say } = surroundings;
  mkdirSync(directory, { recursive: true });
  const before = new Map(formerEntries(directory).map((entry) => [entry.name, entry]));
  const entries: Entry[] = [];
  for (const proof of proofs) {
    const entry = selected.includes(proof.name)
      ? await attempt(proof, surroundings)
      : notSelected(proof, directory, before.get(proof.name));
    entries.push(entry);
    say(`  ${entry.name}: ${entry.state}${entry.reason === undefined ? '' : `. ${entry.reason}`}\n`);
  }
  write(join(directory, 'index.json'), { proofs: entries });
  return entries.every(({ name, state }) => !selected.includes(name) || state === 'passed');
}

async function attempt(proof: Proof, surroundings: Surroundings): Promise<Entry> {
  const { directory, commit, modified, say, committed, interrupted = () => false } = surroundings;
  const { name, title } = proof;
  if (interrupted()) return notRun(proof, directory, 'The run was interrupted.');
  const obstacle = proof.obstacle?.();
  if (obstacle !== undefined) return notRun(proof, directory, obstacle);
  say(`  ${name}: ${title} …\n`);
  const scratch = mkdtempSync(join(tmpdir(), 'lyceum-proof-'));
  const [here, date, began, others] = [thisMachine(), new Date().toISOString(), performance.now(), measureOthers()];
  try {
    const file = fileOf(directory, name);
    const former = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProofRun['former']) : undefined;
    const findings = findingsOf(await proof.run(scratch, { commit, modified, date, former }));
    const figures = findings.figures.map((figure) => ({ ...figure, reached: isReached(figure) }));
    if (figures.length === 0) throw new Error('It has no figures.');
    for (const line of regressionLines(regressions(figures, committed(name)))) say(`${line}\n`);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const state = figures.every(({ reached }) => reached) ? 'passed' : 'failed';
    const machine = { ...here, share_of_others: others() };
    const content: ProofFile = {
      name,
      title,
      state,
      commit,
      modified,
      date,
      seconds,
      machine,
      figures,
      ...findings.details,
    };
    write(file, content);
    return { name, title, state, commit, date };
  } catch (error) {
    const reason = interrupted() ? 'The run was interrupted.' : (error as Error).message;
    return notRun(proof, directory, reason);
  } finally {
    remove(scratch, say);
  }
}

/** A folder that cannot be deleted must not hide the result. */
function remove(scratch: string, say: Surroundings['say']): void {
  try {
    rmSync(scratch, { recursive: true, force: true });
  } catch (error) {
    say(`  ${scratch} could not be deleted: ${(error as Error).message}\n`);
  }
}

/** Keeps why the last run had no figures. Otherwise the file of the proof says its state: the index may be older. */
function notSelected(proof: Proof, directory: string, before: Entry | undefined): Entry {
  if (before?.reason !== undefined && before.reason !== UNSELECTED) return before;
  const file = fileOf(directory, proof.name);
  if (!existsSync(file)) return notRun(proof, directory, UNSELECTED);
  const { name, title, state, commit, date } = JSON.parse(readFileSync(file, 'utf8')) as ProofFile;
  return { name, title, state, commit, date };
}

/** Names the last figures, which are still those of their commit. */
function notRun({ name, title }: Proof, directory: string, reason: string): Entry {
  const file = fileOf(directory, name);
  const entry = { name, title, state: 'not run', reason } as const;
  if (!existsSync(file)) return entry;
  const { commit, date } = JSON.parse(readFileSync(file, 'utf8')) as ProofFile;
  return { ...entry, commit, date };
}

function formerEntries(directory: string): Entry[] {
  const file = join(directory, 'index.json');
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { proofs: Entry[] }).proofs;
}

function fileOf(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function write(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function thisMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    load_before: loadavg()[0]!,
    node: process.versions.node,
  };
}
