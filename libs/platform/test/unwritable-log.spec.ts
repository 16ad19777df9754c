import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@lyceum/testing';

const FIXTURE = join(__dirname, 'fixture-service.mjs');
const children: ChildProcess[] = [];

/** A service whose stdout and stderr are /dev/full: each write to them fails with ENOSPC. */
function startOnFullDisk(args: string[], env: Record<string, string>): { exited: Promise<number | null> } {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [FIXTURE, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', LOG_LEVEL: 'debug', SECRET: 'hunter2', ...env },
    stdio: ['ignore', full, full],
  });
  closeSync(full);
  children.push(child);
  return { exited: once(child, 'exit').then(([code]) => code as number | null) };
}

async function untilReady(url: string, exited: Promise<number | null>): Promise<void> {
  let code: number | null | undefined;
  void exited.then((ended) => (code = ended));
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (code !== undefined) throw new Error(`the service ended with ${code}`);
    await sleep(20);
  }
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
});

describe('a service whose log cannot be written', () => {
  let url: string;
  let management: string;
  let exited: Promise<number | null>;

  beforeEach(async () => {
    // The service cannot print its ports.
    const [port, managementPort] = [String(await freePort()), String(await freePort())];
    url = `http://127.0.0.1:${port}`;
    management = `http://127.0.0.1:${managementPort}`;
    ({ exited } = startOnFullDisk([], { PORT: port, MANAGEMENT_PORT: managementPort }));
    await untilReady(management, exited);
  });

  it('serves requests and counts dropped lines', async () => {
    for (let turn = 0; turn < 3; turn += 1) expect((await fetch(`${url}/slow`)).status).toBe(200);
    const metrics = await (await fetch(`${management}/metrics`)).text();
    expect(Number(/^log_lines_dropped_total\{.*\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(3);
  });

  it('returns an internal error for a failed request, without the log’s error', async () => {
    const response = await fetch(`${url}/fault`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'internal' });
    expect(text).not.toMatch(/ENOSPC|no space/);
  });

  it('exits with 1 after an uncaught exception', async () => {
    const crash = fetch(`${url}/crash`).catch(() => undefined);
    expect(await exited).toBe(1);
    await crash;
  });
});

describe('a command whose output cannot be written', () => {
  it('exits with the code of its fault', async () => {
    expect(await startOnFullDisk(['fail'], { PORT: '0', MANAGEMENT_PORT: '0' }).exited).toBe(1);
    expect(await startOnFullDisk(['unknown'], { PORT: '0', MANAGEMENT_PORT: '0' }).exited).toBe(64);
    expect(await startOnFullDisk([], { PORT: 'eighty', MANAGEMENT_PORT: '0' }).exited).toBe(78);
  });
});
