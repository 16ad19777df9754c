import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchProof, figuresOf } from './bench-proof.ts';
import { type Figure, isReached, type Proof } from './proof.ts';
import { PROOFS } from './proofs.ts';
import { runProofs } from './run-proofs.ts';

let directory: string;
let output: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lyceum-proofs-spec-'));
  output = '';
});
afterEach(() => rmSync(directory, { recursive: true }));

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as Record<string, unknown>;
const run = (
  proofs: readonly Proof[],
  selected = proofs.map(({ name }) => name),
  commit = 'c0ffee',
  interrupted = false,
) =>
  runProofs(proofs, selected, {
    directory,
    commit,
    modified: false,
    say: (text) => (output += text),
    committed: () => [{ ...rows, value: 4 }],
    interrupted: () => interrupted,
  });

const rows: Figure = { title: 'rows', value: 3, unit: 'rows', at_least: 3 };
const proof = (name: string, more: Partial<Proof> = {}): Proof => ({
  name,
  title: `the ${name}`,
  run: () => Promise.resolve([rows]),
  ...more,
});

describe('npm run test:long', () => {
  it('writes the commit, the machine and the figures of a proof', async () => {
    await expect(run([proof('tiny')])).resolves.toBe(true);
    expect(read('tiny')).toEqual({
      name: 'tiny',
      title: 'the tiny',
      state: 'passed',
      commit: 'c0ffee',
      modified: false,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      seconds: 0,
      machine: {
        cpu: expect.any(String),
        cores: expect.any(Number),
        memory_bytes: expect.any(Number),
        load_before: expect.any(Number),
        node: process.versions.node,
        ...(process.platform === 'linux' ? { share_of_others: expect.any(Number) } : {}),
      },
      figures: [{ ...rows, reached: true }],
    });
    const { date } = read('tiny');
    const entry = { name: 'tiny', title: 'the tiny', state: 'passed', commit: 'c0ffee', date };
    expect(read('index')).toEqual({ proofs: [entry] });
  });

  it('gives a proof a directory that exists only while the proof runs', async () => {
    let scratch = '';
    const writing = proof('writing', {
      run: (given) => {
        writeFileSync(join((scratch = given), 'rows'), '1');
        return Promise.resolve([rows]);
      },
    });
    await expect(run([writing])).resolves.toBe(true);
    expect(() => readdirSync(scratch)).toThrow(/ENOENT/);
  });

  it('gives a proof its last file, and the commit and date of the run', async () => {
    const seen: unknown[] = [];
    const merging = proof('merging', {
      run: (_scratch, current) => {
        seen.push(current);
        return Promise.resolve({ figures: [rows], details: { packages: ['auth'] } });
      },
    });
    await run([merging], ['merging'], 'former');
    await run([merging], ['merging'], 'latter');
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(seen).toEqual([
      { commit: 'former', modified: false, date, former: undefined },
      {
        commit: 'latter',
        modified: false,
        date,
        former: expect.objectContaining({ commit: 'former', packages: ['auth'] }),
      },
    ]);
  });

  it('fails when a figure misses its goal', async () => {
    const missed = proof('missed', { run: () => Promise.resolve([rows, { ...rows, value: 2 }]) });
    await expect(run([missed])).resolves.toBe(false);
    expect(read('missed')).toMatchObject({ state: 'failed', figures: [{ reached: true }, { reached: false }] });
    expect(output).toContain('missed: failed');
  });

  it('prints the figures that are worse than those of the last release', async () => {
    await expect(run([proof('worse')])).resolves.toBe(true);
    expect(output).toContain('worse than the last release: rows: 3 rows, before 4 rows');
  });

  it.each<[string, Partial<Proof>, string]>([
    ['cannot run here', { obstacle: () => 'No container runtime is installed.' }, 'No container runtime is installed.'],
    ['ends with an error', { run: () => Promise.reject(new Error('PostgreSQL ended.')) }, 'PostgreSQL ended.'],
    ['has no figures', { run: () => Promise.resolve([]) }, 'It has no figures.'],
  ])('lists a proof that %s as not run, with the reason, and goes on', async (_case, more, reason) => {
    await expect(run([proof('first', more), proof('second')])).resolves.toBe(false);
    expect(read('index')).toMatchObject({
      proofs: [
        { name: 'first', state: 'not run', reason },
        { name: 'second', state: 'passed' },
      ],
    });
    expect(readdirSync(directory).toSorted()).toEqual(['index.json', 'second.json']);
  });

  it('lists a proof that no run has selected as not run', async () => {
    await expect(run([proof('one'), proof('other')], ['one'])).resolves.toBe(true);
    expect(read('index')).toMatchObject({
      proofs: [{ state: 'passed' }, { state: 'not run', reason: 'No run has selected it yet.' }],
    });
  });

  it('keeps the entry of an earlier run for a proof that is not selected', async () => {
    await run([proof('one'), proof('other')], ['one'], 'former');
    await run([proof('one'), proof('other')], ['other'], 'latter');
    expect(read('index')).toMatchObject({
      proofs: [
        { name: 'one', state: 'passed', commit: 'former' },
        { name: 'other', state: 'passed', commit: 'latter' },
      ],
    });
  });

  it('reads the state of an unselected proof from its file when the index is older', async () => {
    await run([proof('tiny')], ['tiny'], 'old');
    const index = readFileSync(join(directory, 'index.json'), 'utf8');
    await run([proof('tiny'), proof('rare')], undefined, 'new');
    writeFileSync(join(directory, 'index.json'), index);
    await run([proof('tiny'), proof('rare')], []);
    expect(read('index')).toEqual({
      proofs: [expect.objectContaining({ commit: 'new' }), expect.objectContaining({ commit: 'new', state: 'passed' })],
    });
  });

  it('names the commit of the last figures when a proof cannot run any more', async () => {
    await run([proof('one')], ['one'], 'former');
    await run([proof('one', { obstacle: () => 'Too little memory.' })], ['one'], 'latter');
    const entry = { state: 'not run', reason: 'Too little memory.', commit: 'former' };
    expect(read('index')).toMatchObject({ proofs: [entry] });
  });

  it('lists interrupted proofs as not run', async () => {
    await expect(run([proof('one')], ['one'], 'c0ffee', true)).resolves.toBe(false);
    expect(read('index')).toMatchObject({ proofs: [{ state: 'not run', reason: 'The run was interrupted.' }] });
  });
});

describe('a figure', () => {
  it.each<[Partial<Figure>, boolean]>([
    [{ value: 2, at_least: 2 }, true],
    [{ value: 1.99, at_least: 2 }, false],
    [{ value: 2, at_most: 2 }, true],
    [{ value: 2.01, at_most: 2 }, false],
    [{ value: NaN, at_most: 2 }, false],
    [{ value: 7 }, true],
  ])('reaches its goal or misses it: %j, %p', (figure, reached) => {
    expect(isReached({ title: 'x', value: 0, unit: '×', ...figure })).toBe(reached);
  });

  it('writes a figure for each row of the benchmark that has a goal', () => {
    const contender = { name: 'x', rounds: [] };
    const row = {
      suite: 's',
      title: 'row',
      ours: contender,
      baseline: contender,
      ratio: { min: 1, median: 2, max: 3 },
    };
    const delay = { suite: 's', title: 'delay', goal: 5, times: 1, p50: 1, p99: 4, max: 6 };
    const quantity = { suite: 's', title: 'memory', unit: 'MB', goal: 350, value: 300 } as const;
    expect(figuresOf({ rows: [{ ...row, goal: 0.6 }, row], delays: [delay], quantities: [quantity] })).toEqual([
      { title: 'row, requests per second', value: 2, unit: '×', at_least: 0.6 },
      { title: 'delay, p99', value: 4, unit: 'ms', at_most: 5 },
      { title: 'memory', value: 300, unit: 'MB', at_most: 350 },
    ]);
  });
});

it('refuses a proof whose size the benchmark refuses', () => {
  const of = (rows: string) => () =>
    benchProof({ name: 'few', title: 'few rows', suite: 'admin', size: ['--rows', rows], memoryBytes: 1 });
  expect(of('24999')).toThrow('--rows must be a whole number from 25000');
  expect(of('25000')).not.toThrow();
  expect(PROOFS.map(({ name }) => name)).toContain('webhooks');
});
