import { authorizationRequest, exchange } from '../../clients/member-client.js';
import { Actor, member, site, sourceIn } from './attack.js';

const actor = new Actor(sourceIn(9));

it.each([
  ['without a state', { state: null }],
  ['with an empty state', { state: '' }],
])('refuses an authorization request %s before the sign-in', async (_what, overrides) => {
  const { status, headers } = await actor.send(actor.authorization(overrides));
  const { searchParams } = new URL(headers['location']!);
  expect([status, searchParams.get('error'), searchParams.get('state')]).toEqual([303, 'invalid_request', null]);
});

it('refuses two states', async () => {
  const { headers } = await actor.send(`${actor.authorization()}&state=second`);
  expect(new URL(headers['location']!).searchParams.get('error')).toBe('invalid_request');
});

it.each([
  'a b+c%20d',
  'x&code=stolen&iss=https://evil.example',
  'ü✓\u202e',
  "'><script>alert(1)</script>",
  '\r\nset-cookie: a=b',
])('returns the state %j unchanged, without adding parameters', async (state) => {
  const parameters = await actor.callback({ state });
  expect(parameters.getAll('state')).toEqual([state]);
  expect(parameters.getAll('iss')).toEqual([site.base_url]);
  expect(parameters.getAll('code')).toHaveLength(1);
  expect(parameters.get('code')).not.toBe('stolen');
});

it('refuses, in a real client, a callback of a request that it did not send (RFC 9700 §4.7)', async () => {
  const request = await authorizationRequest(site.base_url, member, 'openid account:read');
  const attacker = new Actor(sourceIn(9));
  const code = await attacker.code();
  const injected = (state: string | undefined): URL => {
    const query = new URLSearchParams({ code, iss: site.base_url, ...(state === undefined ? {} : { state }) });
    return new URL(`http://127.0.0.1:7777/callback?${query.toString()}`);
  };
  for (const state of ['the-state', '', undefined]) {
    await expect(exchange(request, injected(state))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('state') as string },
    });
  }
  // With the right state, the verifier stops the attack: the code belongs to the attacker's request.
  await expect(exchange(request, injected(request.checks.expectedState))).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});
