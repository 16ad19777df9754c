import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DemoFacts, freePort } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { send } from '../clients/http.js';

const root = join(__dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'lyceum-npm-start-'));

interface Started {
  /** The npm of the machine. */
  readonly npm: ChildProcess;
  readonly output: () => string;
  readonly code: Promise<number | null>;
}

/** Runs `npm start -- <args>` with the small demo. */
function npmStart(...args: string[]): Started {
  const npm = spawn('npm', ['start', '--', '--data', data, '--small', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const code = once(npm, 'close').then(([exit]) => exit as number | null);
  return { npm, output: () => text, code };
}

async function ready(...args: string[]): Promise<Started> {
  const started = npmStart(...args);
  const ended = started.code.then(() => 'ended' as const);
  const up = eventually(
    async () => started.output(),
    (text) => text.includes('stop: Ctrl-C'),
    240_000,
  );
  if ((await Promise.race([up, ended])) === 'ended') throw new Error(`npm start ended:\n${started.output()}`);
  return started;
}

function facts(): DemoFacts {
  return JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as DemoFacts;
}

/**
 * Processes of this stack: those that name the data directory in their command line or environment, and its services.
 */
function processes(): string[] {
  const services = new Set(existsSync(join(data, 'demo.json')) ? facts().services.map(({ pid }) => String(pid)) : []);
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const [command = '', environment = ''] = ['cmdline', 'environ'].map((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8'),
      );
      if (services.has(pid) && command.includes('bundle/main.js')) return true;
      return command.includes(data) || environment.includes(data);
    } catch {
      return false;
    }
  });
}

const gone = () =>
  eventually(
    async () => processes(),
    (pids) => pids.length === 0,
    90_000,
  );

// Other suites run beside the start of a whole stack, and a test has several of them.
jest.setTimeout(600_000);

describe('npm start', () => {
  let port: number;
  let orgIds: string[];

  beforeAll(async () => {
    port = await freePort();
  });
  // Stops the stack after a failed test, too.
  afterEach(async () => {
    for (const pid of processes()) await promisify(execFile)('kill', ['-KILL', pid]).catch(() => 'gone already');
    await gone();
  });
  afterAll(() => rmSync(data, { recursive: true }));

  it('shows its steps, ends with a table, and writes the same facts to demo.json', async () => {
    const { npm, output, code } = await ready('--port', String(port));
    const lines = [
      'start PostgreSQL and NATS',
      'migrate auth, school, learner',
      'make the demo sites',
      'fill the demo sites',
    ];
    for (const line of lines) {
      expect(output()).toMatch(new RegExp(`${line} … \\d+\\.\\d s`));
    }
    const { sites, services } = facts();
    expect(sites.map(({ base_url }) => base_url)).toEqual([`http://localhost:${port}`, `http://127.0.0.1:${port}`]);
    for (const { people, clients } of sites) {
      for (const role of ['owner', 'admin', 'lecturer'])
        expect(people.filter(({ roles }) => roles[0] === role)).toHaveLength(1);
      expect(people.filter(({ roles }) => roles[0] === 'student')).toHaveLength(2);
      const kinds = clients.map(
        ({ audience, client_secret }) => `${audience} ${client_secret ? 'confidential' : 'public'}`,
      );
      expect(kinds.toSorted()).toEqual([
        'member confidential',
        'member public',
        'operator confidential',
        'operator confidential',
        'operator public',
      ]);
      for (const client of clients) expect(client.redirect_uris).toEqual(['http://127.0.0.1:7777/callback']);
      for (const { email, password } of people) expect(output()).toMatch(new RegExp(`${email} +${password}`));
    }
    const emails = sites.map(({ people }) =>
      people.filter(({ roles }) => roles[0] === 'student').map(({ email }) => email),
    );
    expect(emails[0]!.filter((email) => emails[1]!.includes(email))).toHaveLength(1);
    expect(services.map(({ name }) => name)).toEqual(['auth', 'admin-api', 'member-api', 'mcp-gateway']);
    for (const { pid } of services) expect(() => process.kill(pid, 0)).not.toThrow();
    expect(statSync(join(data, 'demo.json')).mode & 0o077).toBe(0);
    orgIds = sites.map(({ org_id }) => org_id);

    const second = npmStart();
    expect(await second.code).toBe(1);
    expect(second.output()).toMatch(/runs already on .* \(process \d+, http:\/\/localhost:\d+\)/);

    npm.kill('SIGTERM');
    expect(await code).toBe(0);
    await gone();
  });

  it('starts warm with the same sites, and leaves no orphan when npm is killed', async () => {
    const { npm, output, code } = await ready();
    expect(output()).not.toMatch(/migrate|(make|fill) the demo sites/);
    expect(facts().sites.map(({ org_id }) => org_id)).toEqual(orgIds);
    // npm, the start, PostgreSQL with its processes, NATS, and four services.
    expect(processes().length).toBeGreaterThan(7);
    npm.kill('SIGKILL');
    await code;
    await gone();
  });

  it('goes on without one of two replicas, and names the service that died with its last one', async () => {
    const { output, code } = await ready('--replicas', 'member-api=2');
    const pids = facts()
      .services.filter(({ name }) => name === 'member-api')
      .map(({ pid }) => pid);
    expect(pids).toHaveLength(2);
    expect(output()).toContain(`member-api runs 2 times: processes ${pids.join(', ')}\n`);
    process.kill(pids[1]!, 'SIGKILL');
    await eventually(
      async () => output(),
      (text) => text.includes('member-api-2 ended without being asked (SIGKILL). Its other replicas go on.'),
    );
    for (let count = 0; count < 4; count += 1)
      expect((await send(`http://localhost:${port}/member/graphql`, { json: {} })).status).not.toBe(503);
    process.kill(pids[0]!, 'SIGKILL');
    expect(await code).toBe(1);
    expect(output()).toMatch(/member-api ended without being asked \(SIGKILL\), so everything stops/);
    await gone();
  });

  it('leaves a service out, and writes its environment to run separately', async () => {
    const { npm, output, code } = await ready('--without', 'member-api');
    expect(output()).toContain('npx nx serve member-api');
    expect(facts().services.map(({ name }) => name)).not.toContain('member-api');
    expect((await send(`http://localhost:${port}/member/graphql`, { json: {} })).status).toBe(503);
    expect(readFileSync(join(data, 'env/member-api.env'), 'utf8')).toMatch(/^DATABASE_URL='postgresql:.*'$/m);
    npm.kill('SIGINT');
    expect(await code).toBe(0);
    await gone();
  });
});
