import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? it : it.skip;

/** Runs the recipe against an origin, and then a program that prints one line of JSON. */
async function run(origin: string, program: string, token: string): Promise<unknown> {
  const recipe = new Recipe('python', origin).block('py');
  const child = spawn('python3', ['-', token]);
  child.stdin.end(`${recipe}\nimport sys\ntoken = sys.argv[1]\n${program}`);
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

  describe('of a busy service', () => {
    const received: IncomingHttpHeaders[] = [];
    let server: Server;
    beforeAll(async () => {
      server = createServer((request, response) => {
        received.push(request.headers);
        const isBusy = received.length < 3;
        response.writeHead(isBusy ? 429 : 201, { 'retry-after': '0' });
        response.end(JSON.stringify(isBusy ? { code: 'rate_limited', detail: 'Wait' } : { id: 'a' }));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterAll(() => server.close());

    withPython('repeats a write with the same key until it succeeds', async () => {
      const { port } = server.address() as AddressInfo;
      const program = 'print(json.dumps(send(token, "POST", "/courses", {"name": "Tides"})))';
      expect(await run(`http://127.0.0.1:${port}`, program, 'token')).toEqual({ id: 'a' });
      const keys = received.map((headers) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([3, 1, 'string']);
    });
  });
});
