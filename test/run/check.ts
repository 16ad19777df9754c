/**
 * `npm run check`: what a change needs before its commit, in two minutes where it is about one feature. It takes the
 * files that differ from the last commit; `npm run check -- main` those that differ from the branch `main`. `npm test`
 * checks everything.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MATRIX, matrixPattern, nearestSuites } from './nearest.ts';
import { listSuites, testPackages } from './results.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Relative to the root. */
  readonly directory?: string;
}

const root = join(import.meta.dirname, '../..');
const jest = ['node', '--experimental-vm-modules', join(root, 'libs/testing/jest/run.mjs')];
const changed = changedFiles(process.argv[2] ?? 'HEAD');
if (changed.length === 0) {
  process.stdout.write('No file differs.\n');
  process.exit(0);
}
const suites = testPackages(root).flatMap((tested) => listSuites(root, tested));
const read = (suite: string): string => readFileSync(join(root, suite), 'utf8');

let failed = 0;
await Promise.all([inTurn(checksOf(changed)), inTurn([typesOf(changed)])]);
await inTurn(suiteSteps());
process.stdout.write(`\n${changed.length} files differ; ${failed === 0 ? 'no step' : failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function changedFiles(since: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const differing = git('diff', '--name-only', '--merge-base', since);
  const files = new Set([...differing, ...git('ls-files', '--others', '--exclude-standard')]);
  return [...files].filter((file) => existsSync(join(root, file))).toSorted();
}

function checksOf(files: readonly string[]): Step[] {
  const sources = files.filter((file) => /\.(?:ts|mjs)$/.test(file));
  const folders = [...new Set(sources.map((file) => file.split('/').slice(0, 2).join('/')))];
  const format = { name: 'format', command: ['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...files] };
  if (sources.length === 0) return [format];
  return [
    format,
    { name: 'lint', command: ['oxlint', '--type-aware', '-c', '.oxlintrc.json', ...sources] },
    { name: 'modules', command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders] },
  ];
}

function typesOf(files: readonly string[]): Step {
  return { name: 'types', command: ['nx', 'affected', '-t', 'typecheck', `--files=${files.join(',')}`] };
}

/** The rules of the repository, and the nearest suites. */
function suiteSteps(): Step[] {
  const rules = { name: 'rules', command: [...jest, './repository/'], directory: 'test' };
  const nearest = nearestSuites(changed, suites, read).map(({ directory, suites: near }) => ({
    name: directory,
    command: [...jest, '--runTestsByPath', ...near.map((suite) => join(root, suite))],
    directory,
  }));
  const pattern = matrixPattern(changed);
  if (pattern === undefined) return [rules, ...nearest];
  const matrix = [...jest, '--testNamePattern', pattern, '--runTestsByPath', join(root, MATRIX)];
  return [rules, ...nearest, { name: 'matrix', command: matrix, directory: MATRIX.split('/').slice(0, 2).join('/') }];
}

async function inTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const began = performance.now();
    const { code, output } = await run(step);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1).padStart(6);
    process.stdout.write(`  ${step.name.padEnd(16)}${seconds} s  ${code === 0 ? 'passed' : 'failed'}\n`);
    if (code === 0) continue;
    failed += 1;
    process.stdout.write(`${output}\n`);
  }
}

function run({ command: [program = '', ...args], directory = '.' }: Step): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: join(root, directory),
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
        NX_DAEMON: 'false',
        NX_TUI: 'false',
        CI: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', ({ message }) => resolve({ code: 127, output: message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
