import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WORKSPACE } from '@lyceum/local';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED';
}

/** Checks that fail, as `scenario:check`, with their reasons. */
export interface ExpectedFailures {
  readonly because: string;
  readonly checks: string;
}

export interface ConformanceOutcome {
  /** `scenario:check` of failed checks, sorted. */
  readonly failed: readonly string[];
  /** The expected failures among the scenarios that ran, sorted. */
  readonly foreseen: readonly string[];
  /** Number of passed checks. */
  readonly passed: number;
}

const COMMAND = join(WORKSPACE, 'node_modules/.bin/conformance');

/** An extension that the gateway does not announce; the suite runs it without scoring it. */
const NOT_OURS = /^tasks-/;

/** Runs the server scenarios of the MCP conformance suite that a revision requires, and the unscored ones. */
export async function runConformance(
  url: string,
  revision: string,
  expected: readonly ExpectedFailures[],
): Promise<ConformanceOutcome> {
  const results = mkdtempSync(join(tmpdir(), 'lyceum-conformance-'));
  const options = ['--url', url, '--requirements', revision, '--timeout', '10000', '--output-dir', results];
  const suite = spawn(process.execPath, [COMMAND, 'server', ...options], {
    cwd: results,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: results, TMPDIR: results, NO_COLOR: '1' },
    stdio: 'ignore',
  });
  try {
    await once(suite, 'close');
    return apiErrorOf(readChecks(results), expected);
  } finally {
    suite.kill('SIGKILL');
    rmSync(results, { recursive: true, force: true });
  }
}

function readChecks(results: string) {
  return readdirSync(results).flatMap((directory) => {
    const [, scenario] = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(directory) ?? [];
    if (scenario === undefined || NOT_OURS.test(scenario)) return [];
    const checks = JSON.parse(readFileSync(join(results, directory, 'checks.json'), 'utf8')) as Check[];
    return checks.map(({ id, status }) => ({ scenario, name: `${scenario}:${id}`, status }));
  });
}

function apiErrorOf(checks: ReturnType<typeof readChecks>, expected: readonly ExpectedFailures[]): ConformanceOutcome {
  const run = new Set(checks.map(({ scenario }) => scenario));
  const names = expected.flatMap((group) => group.checks.trim().split(/\s+/));
  const failed = new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ name }) => name));
  return {
    failed: [...failed].sort(),
    foreseen: names.filter((name) => run.has(name.split(':')[0] ?? '')).sort(),
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
  };
}
