import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './instance-lock.js';
import { StackMemory } from './stack-memory.js';
import { NODE, WORKSPACE } from './workspace.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-start-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** `npm start -- <args>` as far as it comes: all of these are refused before anything is started. */
async function start(...args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(NODE, [join(WORKSPACE, 'deploy/local/dist/start.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

describe('npm start', () => {
  it.each(['127.0.0.1', '::1'])(
    'says that the port is taken on %s, what to do, and starts nothing',
    async (address) => {
      const server = createServer();
      await once(server.listen(0, address), 'listening');
      const { port } = server.address() as AddressInfo;
      const data = join(directory, 'taken');
      const { code, said } = await start('--port', String(port), '--data', data);
      server.close();
      expect(code).toBe(1);
      expect(said).toContain(`Port ${port} is taken by another program`);
      expect(said).toContain('npm start -- --port');
      expect(existsSync(join(data, 'postgres'))).toBe(false);
    },
  );

  it('names the process that already uses the data', async () => {
    const data = join(directory, 'held');
    await lockDirectory(data, 'process 4711, http://localhost:8080');
    const { code, said } = await start('--data', data);
    expect(code).toBe(1);
    expect(said).toMatch(/runs already on .*held \(process 4711, http:\/\/localhost:8080\)/);
  });

  it('refuses to move existing sites to another port', async () => {
    const data = join(directory, 'moved');
    new StackMemory(join(data, 'memory.json')).rememberEdgePort(18_000);
    const { code, said } = await start('--data', data, '--port', '18001');
    expect(code).toBe(1);
    expect(said).toMatch(/were made for port 18000.*npm run reset/s);
  });
});
