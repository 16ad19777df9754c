import { clientOf } from '../../stack/system-stack.js';
import { Actor, AS_OPERATOR, CALLBACK, memberServer, operator, otherSite, outcome, site, sourceIn } from './attack.js';

const source = sourceIn(1);
const victim = new Actor(source);
const attacker = new Actor(source);

it('refuses a stolen code without the verifier of its session (RFC 9700 §4.5)', async () => {
  const code = await victim.code();
  expect(outcome(await attacker.exchange(code))).toEqual([400, 'invalid_grant']);
  const another = await victim.code();
  expect((await victim.exchange(another)).status).toBe(200);
});

it.each([
  ['another public client', { client_id: operator.client_id }],
  [
    'a confidential client of the same audience',
    { client_id: memberServer.client_id, client_secret: memberServer.client_secret! },
  ],
])('refuses a code injected into %s, and keeps it valid for its own client', async (_who, client) => {
  const code = await victim.code();
  expect(outcome(await victim.exchange(code, client))).toEqual([400, 'invalid_grant']);
  expect((await victim.exchange(code)).status).toBe(200);
});

it('refuses a code with another redirect URI than it was sent to', async () => {
  for (const redirect_uri of [
    'http://127.0.0.1:7778/callback',
    'http://127.0.0.1:7777/callback/',
    'https://evil.example/',
    null,
  ]) {
    const response = await victim.exchange(await victim.code(), { redirect_uri });
    expect([response.status, response.body['error']]).toEqual([
      400,
      redirect_uri === null ? 'invalid_request' : 'invalid_grant',
    ]);
  }
  expect((await victim.exchange(await victim.code(), { redirect_uri: CALLBACK })).status).toBe(200);
});

it('refuses a code of another site without using it up', async () => {
  const code = await victim.code();
  const elsewhere = new Actor(source, otherSite);
  const client = clientOf(otherSite, 'member', 'public');
  const injected = { client_id: client.client_id, code_verifier: victim.verifier };
  expect(outcome(await elsewhere.exchange(code, injected))).toEqual([400, 'invalid_grant']);
  expect((await victim.exchange(code)).status).toBe(200);
});

it('refuses the code of a confidential client without its secret', async () => {
  const request = { client_id: memberServer.client_id };
  const code = await victim.code(request);
  expect(outcome(await victim.exchange(code, request))).toEqual([401, 'invalid_client']);
  const honest = await victim.exchange(code, { ...request, client_secret: memberServer.client_secret! });
  expect(honest.status).toBe(200);
});

it('refuses the code of an operator client from a member client', async () => {
  const owner = new Actor(source);
  const code = await owner.code(AS_OPERATOR, 'owner');
  expect(outcome(await owner.exchange(code, { resource: site.base_url }))).toEqual([400, 'invalid_grant']);
  expect((await owner.exchange(code, { client_id: operator.client_id, resource: null })).status).toBe(200);
});
