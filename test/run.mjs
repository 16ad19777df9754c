/**
 * `npm test`: all checks of CI, in one table. Needs Node 24, and the packages that `npm test` has installed and built.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programOnPath } from '@lyceum/local/servers';
import { MachineLoad } from './run/machine.ts';
import { Progress } from './run/progress.ts';
import { mayMount } from './run/mount.ts';
import { firstLine, nameOf, NO_RESULT, readResult, resultFile, testPackages } from './run/results.ts';
import { flakyFaults, flakyLines, runFailedAgain } from './run/second-run.ts';
import { dueSkips, skipFaults } from './run/skips.ts';

const root = dirname(import.meta.dirname);
const scratch = mkdtempSync(join(tmpdir(), 'lyceum-run-'));
const nx = (targets, projects = [], parallel = 2) => {
  const only = projects.length > 0 ? [`--projects=${projects.join(',')}`] : [];
  return ['nx', 'run-many', '-t', targets.join(','), ...only, `--parallel=${parallel}`, '--output-style=static'];
};

const SYSTEM = '@lyceum/system-test';
const isService = ({ directory }) => directory.startsWith('apps/');
/** `LYCEUM_TEST_PACKAGES=rest,system-test-browser` runs the suites of these packages and groups only. */
const SELECTED = process.env.LYCEUM_TEST_PACKAGES?.split(',').map((name) => `@lyceum/${name}`);
const ALL = testPackages(root);
const namesOf = (tested) => [tested.name, nameOf(tested)];
const PACKAGES = ALL.filter((tested) => namesOf(tested).some((name) => SELECTED?.includes(name) ?? true));
if (SELECTED?.some((selected) => !ALL.flatMap(namesOf).includes(selected))) {
  process.stderr.write(`Unknown package in LYCEUM_TEST_PACKAGES: ${process.env.LYCEUM_TEST_PACKAGES}\n`);
  process.exit(2);
}
/** Without results of an earlier run, Nx has none in its cache: everything runs. */
const IS_CLEAN = !ALL.some((tested) => existsSync(resultFile(root, tested)));
/** All steps of a clean clone: what the last ones need is built, and no result will come from the cache. */
const STARTS_AHEAD = IS_CLEAN && process.argv.length === 2;
/** `LYCEUM_TEST_ONCE=1` leaves the second runs out. */
const IS_ONCE = process.env.LYCEUM_TEST_ONCE === '1';
const NAMED_SKIPS = dueSkips(JSON.parse(readFileSync(join(root, 'test/skips.json'), 'utf8')), (program) =>
  program === 'mount' ? mayMount() : programOnPath(program) !== undefined,
);
const PROGRESS_PAUSE = 500;

/** One process for all packages reads each type once. The rule of module boundaries needs the graph, which Nx keeps. */
const LINT_ALL = ['oxlint', '--type-aware', '-c', '.oxlintrc.json', 'apps', 'deploy', 'libs', 'test', 'tools'];
const lintsAll = IS_CLEAN && existsSync(join(root, '.nx/workspace-data/project-graph.json'));

/** Steps of Nx that start no suites. They run one after the other, and take no time from the cache. */
const CACHED_CHECKS = [
  { name: 'lint', command: lintsAll ? LINT_ALL : nx(['lint']) },
  { name: 'types', command: nx(['typecheck']) },
];

/** Other steps that start no suites. They run beside those of Nx, and two at a time afterwards. */
const CHECKS = [
  { name: 'format', command: ['oxfmt', '--check'] },
  {
    name: 'modules',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'deploy', 'tools', 'test'],
  },
  {
    name: 'folders',
    command: ['depcruise', '--config', '.dependency-cruiser.folders.cjs', 'apps', 'libs', 'deploy'],
  },
  { name: 'unused', command: ['knip'] },
];

/** A step with suites counts by its Jest results. */
const suitesOf = (name, isIncluded, environment, parallel) => {
  const suites = PACKAGES.filter(isIncluded);
  if (suites.length === 0) return [];
  const skips = NAMED_SKIPS.filter(({ suite }) => suites.some(({ directory }) => suite.startsWith(`${directory}/`)));
  const targets = new Set(suites.map(({ group }) => group?.target ?? 'test'));
  const projects = new Set(suites.map((tested) => tested.name));
  const command = nx([...targets], [...projects], parallel);
  return [{ name, command, environment, suites, skips }];
};

/** A step without suites counts as one. `needed`: the run ends when it fails. */
const SUITES = [
  { name: 'servers', needed: true },
  // Services have the most suites. Two workers share those of one service, so that no service runs alone at the end.
  ...suitesOf('services', isService, { LYCEUM_TEST_WORKERS: '2' }, 1),
  // One worker each, because two packages run at a time.
  ...suitesOf('suites', (tested) => tested.name !== SYSTEM && !isService(tested), { LYCEUM_TEST_WORKERS: '1' }, 2),
  // One group after the other, with both workers. With a third one, browsers meet their limits.
  ...suitesOf('system', (tested) => tested.name === SYSTEM, {}, 1),
];

const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  // Nx loads its plugins in its own process, not in one for each.
  NX_ISOLATE_PLUGINS: 'false',
  // Each of the many processes of a run compiles the same modules.
  NODE_COMPILE_CACHE: join(root, '.lyceum/compiled'),
  CI: 'true',
  FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
};
const total = { passed: 0, failed: 0 };
const machine = new MachineLoad();
/** Suites that failed beside the others and passed alone. */
const flaky = [];
const failures = [];
/** Texts of all faults. The end of the output has them whole, as a log may keep only its end. */
const allFaults = [];

const only = process.argv.slice(2);
const wantedOf = (steps) => steps.filter(({ name }) => only.length === 0 || only.includes(name));
/** Takes steps from the beginning of the list, which another call may do at the same time. */
const inTurn = async (steps) => {
  for (let step = steps.shift(); step; step = steps.shift()) if (!(await take(step)) && step.needed) break;
};
let stopServers = async () => {};
const checks = wantedOf(CHECKS);
await Promise.all([inTurn(checks), inTurn(wantedOf(CACHED_CHECKS)).then(() => inTurn(checks))]);
await inTurn(wantedOf(SUITES));
await stopServers();
rmSync(scratch, { recursive: true });
if (total.passed + total.failed === 0)
  process.stdout.write(
    `There is no such step: ${[...CACHED_CHECKS, ...CHECKS, ...SUITES].map(({ name }) => name).join(', ')}\n`,
  );
keepFailures();
for (const fault of allFaults) process.stdout.write(`\n${fault}\n`);
if (total.failed > 0) process.stdout.write(`\n${machine.describe()}\n`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

async function take(step) {
  const began = performance.now();
  const title = `  ${step.name.padEnd(8)}`;
  if (step.suites) process.stdout.write(`${title}\n`);
  const { passed, failed, faults, output } = await (step.suites ? runSuites(step) : runOnce(step));
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  const counts = step.suites ? `${passed} passed, ${failed} failed` : failed ? 'failed' : 'passed';
  process.stdout.write(`${title}${seconds} s  ${counts}\n`);
  if (failed === 0) return true;
  const told = faults.length > 0 ? faults : [output];
  allFaults.push(...told);
  for (const fault of faults) process.stdout.write(`    ${firstLine(fault)}\n`);
  return false;
}

async function runOnce({ command }) {
  const { code, output } = command ? await run(command) : await startServers();
  return { passed: Number(code === 0), failed: Number(code !== 0), faults: [], output };
}

async function runSuites(step) {
  if (step.name !== 'system') return runTargets(step);
  // Groups that are not in the cache share a stack. The first one that needs it starts it.
  const { line, output, stop } = await serve('serve-system.js');
  if (line === undefined) return { passed: 0, failed: 1, faults: [output], output };
  const result = await runTargets(step, { LYCEUM_TEST_SYSTEM: line });
  await stop();
  return result;
}

/** `shared`: environment variables of the first runs alone. A suite that runs again has servers of its own. */
async function runTargets({ name, command, suites, skips, environment: more }, shared = {}) {
  for (const tested of suites) rmSync(resultFile(root, tested), { force: true });
  const file = join(scratch, `${name}.progress`);
  const progress = new Progress(root, file, suites);
  const show = () => {
    for (const line of progress.news()) process.stdout.write(`${line}\n`);
  };
  const timer = setInterval(show, PROGRESS_PAUSE);
  const { code, output } = await run(command, { ...more, ...shared, LYCEUM_TEST_PROGRESS: file });
  clearInterval(timer);
  show();
  const first = suites.map((tested) => readResult(root, tested));
  const again = IS_ONCE
    ? { results: first, flaky: [] }
    : await runFailedAgain(
        { root, scratch, run: (jest, directory) => run(jest, more, directory) },
        suites,
        first,
        (line) => process.stdout.write(`    ${line}\n`),
      );
  for (const line of again.flaky.flatMap(flakyLines)) process.stdout.write(`    ${line}\n`);
  flaky.push(...again.flaky);
  const { results } = again;
  const skipped = skipFaults(
    results.flatMap((result) => result.suites),
    skips,
  );
  const failed = sum(results, 'failed') + skipped.length;
  const broken = results.flatMap((result) => result.failures);
  failures.push(...broken);
  // A command can fail although every result is good.
  const unexplained = code !== 0 && sum(first, 'failed') === 0;
  return {
    passed: sum(results, 'passed'),
    failed: Math.max(failed, Number(unexplained)),
    faults: [
      ...broken.map(({ suite, message }) => `${suite}\n${message}`),
      ...skipped,
      ...(broken.some(({ message }) => message === NO_RESULT) ? [output] : []),
    ],
    output,
  };
}

/** Writes the flaky suites, with the outputs of both runs, and the failed ones. */
function keepFailures() {
  mkdirSync(join(root, '.lyceum'), { recursive: true });
  writeFileSync(join(root, '.lyceum/flaky.json'), JSON.stringify(flaky, undefined, 2));
  writeFileSync(join(root, '.lyceum/failures.json'), JSON.stringify(failures, undefined, 2));
  const faults = flakyFaults(flaky);
  total.failed += faults.length;
  allFaults.push(...faults);
}

function sum(counts, field) {
  return counts.reduce((so_far, count) => so_far + count[field], 0);
}

/** One PostgreSQL, NATS and auth for all suites. They end with this process. */
async function startServers() {
  // All suites run: those of every service need its database.
  const { line, output, stop } = await serve('serve-infrastructure.js', STARTS_AHEAD ? ['--templates'] : []);
  if (line === undefined) return { code: 1, output };
  environment.LYCEUM_TEST_INFRASTRUCTURE = line;
  stopServers = stop;
  return { code: 0, output };
}

/** Starts a program that prints one line and serves until its input ends. Without a line, `output` has the reason. */
async function serve(program, args = []) {
  const child = spawn('node', [join(root, 'libs/testing/dist', program), ...args], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const line = await Promise.race([ready, ended.then(() => undefined)]);
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { line: line?.trim(), output, stop };
}

function run([command, ...args], more = {}, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
