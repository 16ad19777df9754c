import { clientOf } from '../../stack/system-stack.js';
import { Actor, memberServer, site, sourceIn, type ApiResponse, type Fields } from './attack.js';

const { client_id } = memberServer;
const right = { client_id, client_secret: memberServer.client_secret! };
const SERVERS = clientOf(site, 'operator', 'confidential');

const at = (path: string) => (actor: Actor, form: Fields) =>
  actor.send(path, { form: { grant_type: 'refresh_token', refresh_token: 'nothing', token: 'nothing', ...form } });

/** Guesses until it is limited: at most twice the limit and one, because the window may turn in between. */
async function guess(send: (form: Fields) => Promise<ApiResponse>, client: string): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  while (responses.length < 41 && responses.at(-1)?.status !== 429)
    responses.push(await send({ client_id: client, client_secret: `guess-${responses.length}` }));
  return responses;
}

it.each([
  ['token', '/api/oauth/token', 24],
  ['revocation', '/api/oauth/revoke', 25],
  ['introspection', '/api/oauth/introspect', 26],
])('limits guesses of a secret at the %s endpoint, the right secret included', async (_name, path, block) => {
  const attacker = new Actor(sourceIn(block));
  const send = (form: Fields) => at(path)(attacker, form);
  const known = await send(right);
  expect([200, 400]).toContain(known.status);

  const responses = await guess(send, client_id);
  expect(responses.length).toBeGreaterThan(10);
  expect(responses.slice(0, -1).map(({ status }) => status)).toEqual(Array(responses.length - 1).fill(401));
  const last = responses.at(-1)!;
  expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
  // The right secret comes last: a limited caller must not learn it.
  expect((await send(right)).status).toBe(429);

  // The client at its own source, and other clients at the attacker's, still work.
  expect((await at(path)(new Actor(sourceIn(27)), right)).status).toBe(known.status);
  const other = { client_id: SERVERS.client_id, client_secret: SERVERS.client_secret! };
  expect((await send(other)).status).toBe(known.status);
});

it('limits guesses of the secret of a resource server', async () => {
  const attacker = new Actor(sourceIn(28));
  const responses = await guess((form) => at('/api/oauth/introspect')(attacker, form), 'member-api');
  expect([responses[0]!.status, responses.at(-1)!.status]).toEqual([401, 429]);
});
