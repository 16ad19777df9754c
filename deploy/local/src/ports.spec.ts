import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canListen, freePort } from './ports.js';
import { NODE, WORKSPACE } from './workspace.js';

const PORTS = join(WORKSPACE, 'deploy/local/dist/ports.js');

/** Free ports beside the range of other callers, and below the ephemeral one. */
async function freeRange(size: number): Promise<{ lowest: number; highest: number }> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const lowest = randomInt(11_000, 15_000 - size);
    const ports = Array.from({ length: size }, (_, index) => lowest + index);
    const free = await Promise.all(ports.map(canListen));
    if (!free.includes(false)) return { lowest, highest: lowest + size - 1 };
  }
  throw new Error('No range of ports is free');
}

/** Returns what another process gets in the range. */
async function freePortElsewhere(range: object): Promise<string> {
  const script = `const { freePort } = await import(${JSON.stringify(PORTS)});
    console.log(await freePort(${JSON.stringify(range)}).catch(({ message }) => message));`;
  const { stdout } = await promisify(execFile)(NODE, ['--input-type=module', '-e', script]);
  return stdout.trim();
}

it('returns no port that a server has', async () => {
  const { lowest } = await freeRange(1);
  const server = createServer();
  await once(server.listen(lowest, '127.0.0.1'), 'listening');
  await expect(freePort({ lowest, highest: lowest })).rejects.toThrow(`No free port found between ${lowest}`);
  await new Promise((closed) => server.close(closed));
  await expect(freePort({ lowest, highest: lowest })).resolves.toBe(lowest);
});

it('returns a port once, to this process or to another one, before a server listens', async () => {
  const range = await freeRange(2);
  const first = await freePort(range);
  const other = range.lowest + range.highest - first;
  // The claim of the other process ends with it.
  expect(await freePortElsewhere(range)).toBe(String(other));
  expect(await freePort(range)).toBe(other);
  expect(await freePortElsewhere(range)).toContain('No free port found');
  await expect(freePort(range)).rejects.toThrow('No free port found');
});
