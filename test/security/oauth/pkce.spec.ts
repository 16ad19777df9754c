import { Actor, type Fields, memberServer, outcome, randomText, s256, sourceIn } from './attack.js';

const victim = new Actor(sourceIn(2));
const NONE = { code_challenge: null, code_challenge_method: null } as const;

describe('an authorization request', () => {
  it.each<[string, Fields]>([
    ['without a challenge', NONE],
    ['with a method and no challenge', { code_challenge: null }],
    ['with an empty challenge', { code_challenge: '' }],
    ['with the plain method', { code_challenge: victim.verifier, code_challenge_method: 'plain' }],
    ['with the method left out, which means plain (RFC 7636 §4.3)', { code_challenge_method: null }],
    ['with the method in another case', { code_challenge_method: 's256' }],
    ['with a method that does not exist', { code_challenge_method: 'S512' }],
    ['with a challenge that is no SHA-256', { code_challenge: 'short' }],
    ['with characters that no challenge has', { code_challenge: `${'a'.repeat(42)}!` }],
    ['of a confidential client without a challenge', { ...NONE, client_id: memberServer.client_id }],
  ])('refuses an authorization request %s', async (_what, overrides) => {
    const parameters = await victim.callback(overrides);
    expect([parameters.get('error'), parameters.get('code')]).toEqual(['invalid_request', null]);
  });

  it('returns a code for a valid authorization request', async () => {
    expect((await victim.callback()).get('error')).toBeNull();
  });
});

describe('an exchange', () => {
  it.each<[string, () => Fields, string]>([
    ['without a verifier', () => ({ code_verifier: null }), 'invalid_grant'],
    ['with an empty verifier', () => ({ code_verifier: '' }), 'invalid_grant'],
    ['with a wrong verifier', () => ({ code_verifier: randomText() }), 'invalid_grant'],
    ['with the challenge, as plain would have it', () => ({ code_verifier: s256(victim.verifier) }), 'invalid_grant'],
    [
      'with another method',
      () => ({ code_verifier: s256(victim.verifier), code_challenge_method: 'plain' }),
      'invalid_grant',
    ],
    ['with a longer verifier', () => ({ code_verifier: `${victim.verifier}a` }), 'invalid_grant'],
    ['with too short a verifier', () => ({ code_verifier: 'a' }), 'invalid_request'],
    ['with too long a verifier', () => ({ code_verifier: 'a'.repeat(129) }), 'invalid_request'],
  ])('refuses a code exchange %s, and keeps the code for its owner', async (_what, overrides, error) => {
    const code = await victim.code();
    const response = await victim.exchange(code, overrides());
    expect(outcome(response)).toEqual([400, error]);
    expect(response.body).not.toHaveProperty('access_token');
    expect((await victim.exchange(code)).status).toBe(200);
  });

  it('refuses the verifier of an earlier request of the same client', async () => {
    const earlier = new Actor(sourceIn(2));
    expect((await earlier.exchange(await earlier.code())).status).toBe(200);
    const code = await victim.code();
    expect(outcome(await victim.exchange(code, { code_verifier: earlier.verifier }))).toEqual([400, 'invalid_grant']);
  });

  it('requires the verifier of a confidential client, too', async () => {
    const client = { client_id: memberServer.client_id };
    const secret = { ...client, client_secret: memberServer.client_secret! };
    const without = await victim.exchange(await victim.code(client), { ...secret, code_verifier: null });
    expect(without.status).toBe(400);
    expect((await victim.exchange(await victim.code(client), secret)).status).toBe(200);
  });
});
