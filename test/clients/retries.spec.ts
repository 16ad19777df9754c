import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

interface Exports {
  send(
    method: string,
    path: string,
    body: unknown,
    token: (renew: boolean) => Promise<string>,
  ): Promise<{ id: string; slug: string } | undefined>;
}

const site = systemStack().sites[0]!;

/** A service fails first. These are its responses, in order. */
type Answer = (response: ServerResponse) => void;
const problem =
  (status: number, code: string): Answer =>
  (response) =>
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify({ code, detail: code, request_id: 'one' }));
const done: Answer = (response) => response.writeHead(201).end(JSON.stringify({ id: 'a', slug: 'tides' }));
const cut: Answer = (response) => response.destroy();
const gateway: Answer = (response) => response.writeHead(502, { 'retry-after': '0' }).end('<html>');

describe('the recipe for errors and retries', () => {
  let server: Server;
  let answers: Answer[];
  let received: Pick<IncomingMessage, 'headers'>[];
  let { send } = {} as Exports;
  const token = (renew: boolean): Promise<string> => Promise.resolve(renew ? 'renewed' : 'first');

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push({ headers: request.headers });
      (answers.shift() ?? done)(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    ({ send } = new Recipe('retries', `http://127.0.0.1:${port}`).run<Exports>());
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['a limit', problem(429, 'rate_limited')],
    ['a service that restarts', problem(503, 'temporarily_unavailable')],
    ['the same request, which still runs', problem(409, 'idempotency_in_progress')],
    ['a lost response', cut],
    ['an error of a gateway', gateway],
  ])('sends the request again with its key after %s', async (_what, failure) => {
    answers = [failure, failure];
    expect(await send('POST', '/courses', { name: 'Tides' }, token)).toEqual({ id: 'a', slug: 'tides' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it('renews a refused token once', async () => {
    const refused = problem(401, 'invalid_token');
    answers = [refused];
    await send('POST', '/courses', {}, token);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer renewed']);
    answers = [refused, refused];
    await expect(send('POST', '/courses', {}, token)).rejects.toThrow('invalid_token');
  });

  it('stops after five attempts', async () => {
    answers = Array.from({ length: 9 }, () => problem(503, 'temporarily_unavailable'));
    await expect(send('POST', '/courses', {}, token)).rejects.toThrow('temporarily_unavailable');
    expect(received).toHaveLength(5);
  });

  it('names the wrong values of a request to the school, and creates a course once', async () => {
    const school = new Recipe('retries', site.base_url).run<Exports>();
    const access = await tokenFor('operator', 'openid courses:read courses:write');
    const own = (): Promise<string> => Promise.resolve(access);
    const slug = `retries-${Date.now().toString(36)}`;
    await expect(school.send('POST', '/courses', { name: '', slug }, own)).rejects.toMatchObject({
      problem: { code: 'validation_failed', errors: [{ pointer: '/name' }] },
    });
    const made = await school.send('POST', '/courses', { name: 'Retries', slug }, own);
    expect(await school.send('GET', `/courses/${made?.id}`, undefined, own)).toMatchObject({ slug });
  });
});
