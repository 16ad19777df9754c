/** `npm test`: everything that CI checks, in one table. Needs Node 24 and what `npm test` has installed and built before. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = dirname(import.meta.dirname);
const results = mkdtempSync(join(tmpdir(), 'lyceum-results-'));
const nx = (target, ...more) => ['nx', 'run-many', '-t', target, '--parallel=2', '--output-style=static', ...more];

/** A step with `suites` is counted by its Jest results, any other one as one. `needed`: without it the rest says nothing. */
const STEPS = [
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { name: 'lint', command: nx('lint') },
  { name: 'types', command: nx('typecheck') },
  { name: 'rooms', command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'deploy', 'test'] },
  { name: 'unused', command: ['knip'] },
  { name: 'servers', needed: true },
  // Suites use servers built from other packages than their own, which the cache does not know of.
  // One worker each, because two packages run at a time.
  { name: 'suites', command: nx('test', '--skip-nx-cache', '--args=--maxWorkers=1'), suites: packageSuites },
  {
    name: 'system',
    command: ['node', '--experimental-vm-modules', '../libs/testing/jest/run.mjs'],
    in: 'test',
    suites: () => ['@lyceum/system-test'],
  },
];

const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  CI: 'true',
  FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
  LYCEUM_TEST_RESULTS: results,
};
const total = { passed: 0, failed: 0 };

const only = process.argv.slice(2);
const steps = only.length === 0 ? STEPS : STEPS.filter(({ name }) => only.includes(name));
let stopServers = async () => {};
for (const step of steps) if (!(await take(step)) && step.needed) break;
await stopServers();
rmSync(results, { recursive: true });
if (total.passed + total.failed === 0)
  process.stdout.write(`There is no such step: ${STEPS.map(({ name }) => name).join(', ')}\n`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

async function take(step) {
  const began = performance.now();
  process.stdout.write(`  ${step.name.padEnd(8)}`);
  const { code, output } = step.command ? await run(step.command, join(root, step.in ?? '.')) : await startServers();
  const counts = step.suites
    ? step.suites().map(suiteResult)
    : [{ passed: Number(code === 0), failed: Number(code !== 0), faults: [] }];
  const passed = sum(counts, 'passed');
  // A command that fails although every result is good has failed all the same.
  const failed = Math.max(sum(counts, 'failed'), Number(code !== 0));
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  process.stdout.write(
    `${seconds} s  ${step.suites ? `${passed} passed, ${failed} failed` : failed ? 'failed' : 'passed'}\n`,
  );
  if (failed === 0) return true;
  const faults = counts.flatMap((count) => count.faults);
  process.stdout.write(`\n${faults.length > 0 ? faults.join('\n') : output}\n\n`);
  return false;
}

/** Names of the packages that have a `test` script: each must bring results. */
function packageSuites() {
  return ['apps', 'libs', 'deploy']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name, 'package.json')))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ scripts }) => scripts?.test)
    .map(({ name }) => name);
}

function suiteResult(name) {
  const file = join(results, `${name}.json`);
  // Jest ended before it could write: the output of the command says why.
  if (!existsSync(file)) return { passed: 0, failed: 1, faults: [] };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numTotalTests, testResults } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  if (numTotalTests + numRuntimeErrorTestSuites === 0)
    return { passed: 0, failed: 1, faults: [`${name} has no tests`] };
  const faults = testResults
    .filter(({ status }) => status === 'failed')
    .map((suite) => `${relative(root, suite.name)}\n${suite.message}`);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, faults };
}

function sum(counts, field) {
  return counts.reduce((so_far, count) => so_far + count[field], 0);
}

/** One PostgreSQL, NATS and auth for all suites (in place of a command). They end with us, whatever ends us. */
async function startServers() {
  const child = spawn('node', [join(root, 'libs/testing/dist/serve-infrastructure.js')], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const file = await Promise.race([ready, ended.then(() => undefined)]);
  if (file === undefined) return { code: 1, output };
  environment.LYCEUM_TEST_INFRASTRUCTURE = file.trim();
  stopServers = async () => {
    child.stdin.end();
    await ended;
  };
  return { code: 0, output };
}

function run([command, ...args], cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
