import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { approve } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { authorizationRequest, exchange } from './member-client.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? it : it.skip;

/** Runs the recipes against an origin, and then a program that prints one line of JSON. */
async function run(origin: string, program: string, token: string): Promise<unknown> {
  const recipes = [new Recipe('python', origin).block('py'), new Recipe('python-tokens', origin).block('py')];
  const child = spawn('python3', ['-', token]);
  child.stdin.end(`${recipes.join('\n')}\nimport sys\ntoken = lambda renew: sys.argv[1]\n${program}`);
  const [output, faults, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect([code, faults]).toEqual([0, '']);
  return JSON.parse(output);
}

describe('the recipe for Python', () => {
  withPython('adds students by bulk, reads all pages and raises a problem', async () => {
    const token = await tokenFor('operator', 'openid students:read students:write');
    const name = `py-${randomUUID()}`;
    const program = `
items = [{"email": f"${name}-{n}@example.com", "name": "Learner"} for n in range(120)]
added = send(token, "POST", "/students/bulk", {"atomic": True, "items": items})
found = [one["email"] for one in every(token, "/students")]
try:
    send(token, "POST", "/students", items[0])
except SchoolError as error:
    print(json.dumps([added["all_succeeded"], found, error.problem["code"]]))
`;
    const [isAdded, found, code] = (await run(site.base_url, program, token)) as [boolean, string[], string];
    expect([isAdded, code]).toEqual([true, 'already_exists']);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining([0, 60, 119].map((n) => `${name}-${n}@example.com`)));
    expect(found.length).toBeGreaterThan(100);
  });

  describe('of a program that runs for months', () => {
    let folder: string;
    let file: string;
    const client = clientOf(site, 'operator', 'confidential');
    const { client_id, client_secret } = client;
    const tokens = () => `tokens = Tokens(${JSON.stringify(file)}, "${client_id}", "${client_secret}")`;
    /** Runs a program with the stored sign-in, in a process of its own. */
    const started = (program: string) => run(site.base_url, `${tokens()}\n${program}`, '');
    const stored = async (): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const READING = 'print(json.dumps([len(list(every(tokens, "/courses"))) > 0, tokens()]))';

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'python-'));
    });
    beforeEach(async () => {
      file = join(folder, `${randomUUID()}.json`);
      const request = await authorizationRequest(site.base_url, client, 'openid courses:read');
      const response = await exchange(request, await approve(request.url, personOf(site, 'owner')));
      await run(
        site.base_url,
        `${tokens()}\nprint(json.dumps(tokens.save(json.loads(${JSON.stringify(JSON.stringify(response))}))))`,
        '',
      );
    });
    afterAll(() => rm(folder, { recursive: true }));

    withPython('keeps its sign-in across restarts, in a file that others cannot read', async () => {
      const { access_token } = await stored();
      expect(await started(READING)).toEqual([true, access_token]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    });

    withPython('renews a token that is due or refused, and stores the pair first', async () => {
      const before = await stored();
      await writeFile(file, JSON.stringify({ ...before, renew_at: 0 }));
      const [, renewed] = (await started(READING)) as [boolean, string];
      expect([renewed === before['access_token'], renewed]).toEqual([false, (await stored())['access_token']]);
      await writeFile(file, JSON.stringify({ ...(await stored()), access_token: 'revoked' }));
      const [isRead, again] = (await started(READING)) as [boolean, string];
      expect([isRead, again === renewed]).toEqual([true, false]);
    });

    withPython('goes on after a crash between the response and the write', async () => {
      const before = { ...(await stored()), renew_at: 0 };
      await writeFile(file, JSON.stringify(before));
      const [, lost] = (await started(READING)) as [boolean, string];
      await writeFile(file, JSON.stringify(before));
      const [isRead, again] = (await started(READING)) as [boolean, string];
      expect([isRead, again === lost]).toEqual([true, false]);
    });

    withPython('repeats a renewal whose response was lost', async () => {
      const sent: string[] = [];
      const pair = { access_token: 'second', refresh_token: 'next', expires_in: 7200 };
      const server = createServer(async (request, response) => {
        sent.push(await text(request));
        if (sent.length === 1) return void response.destroy();
        response.end(JSON.stringify(pair));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await writeFile(file, JSON.stringify({ ...pair, access_token: 'first', refresh_token: 'kept', renew_at: 0 }));
      const { port } = server.address() as AddressInfo;
      const program = `${tokens()}\nprint(json.dumps([tokens(), tokens()]))`;
      expect(await run(`http://127.0.0.1:${port}`, program, '')).toEqual(['second', 'second']);
      server.close();
      const used = sent.map((form) => new URLSearchParams(form).get('refresh_token'));
      expect([used, (await stored())['refresh_token']]).toEqual([['kept', 'kept'], 'next']);
    });

    withPython('removes the tokens of an ended sign-in', async () => {
      await writeFile(file, JSON.stringify({ ...(await stored()), refresh_token: 'ended', renew_at: 0 }));
      const program = `
try:
    tokens()
except OSError as error:
    print(json.dumps([error.code, os.path.exists(tokens.file)]))
`;
      expect(await started(program)).toEqual([400, false]);
    });
  });

  describe('of a busy service', () => {
    const received: IncomingHttpHeaders[] = [];
    let server: Server;
    beforeAll(async () => {
      server = createServer((request, response) => {
        received.push(request.headers);
        const isBusy = received.length < 4;
        if (received.length === 3) return void response.destroy();
        response.writeHead(isBusy ? 429 : 201, { 'retry-after': '0' });
        response.end(JSON.stringify(isBusy ? { code: 'rate_limited', detail: 'Wait' } : { id: 'a' }));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterAll(() => server.close());

    withPython('repeats a write with the same key until it succeeds, also after a lost response', async () => {
      const { port } = server.address() as AddressInfo;
      const program = 'print(json.dumps(send(token, "POST", "/courses", {"name": "Tides"})))';
      expect(await run(`http://127.0.0.1:${port}`, program, 'token')).toEqual({ id: 'a' });
      const keys = received.map((headers) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([4, 1, 'string']);
    });
  });
});
