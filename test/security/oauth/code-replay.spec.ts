import { Actor, operator, outcome, sourceIn, type ApiResponse, type Fields } from './attack.js';

const attacker = new Actor(sourceIn(0));

it('refuses a redeemed code and revokes its tokens (RFC 6749 §4.1.2)', async () => {
  const victim = new Actor(sourceIn(0));
  const code = await victim.code();
  const { status, body } = await victim.exchange(code);
  expect([status, await victim.isActive(String(body['access_token']))]).toEqual([200, true]);

  expect(outcome(await attacker.exchange(code, { code_verifier: victim.verifier }))).toEqual([400, 'invalid_grant']);
  expect(await victim.isActive(String(body['access_token']))).toBe(false);
  expect(outcome(await victim.refresh(String(body['refresh_token'])))).toEqual([400, 'invalid_grant']);
});

it('revokes refreshed tokens when their code is replayed', async () => {
  const victim = new Actor(sourceIn(0));
  const code = await victim.code();
  const first = await victim.exchange(code);
  const refreshed = await victim.refresh(String(first.body['refresh_token']));
  expect([first.status, refreshed.status]).toEqual([200, 200]);
  await victim.exchange(code);
  expect(await victim.isActive(String(refreshed.body['access_token']))).toBe(false);
});

it('keeps another authorization of the same person and client after a replay', async () => {
  const victim = new Actor(sourceIn(0));
  const other = await victim.tokens();
  const code = await victim.code();
  expect((await victim.exchange(code)).status).toBe(200);
  expect((await victim.exchange(code)).status).toBe(400);
  expect(await victim.isActive(other.access_token)).toBe(true);
});

it('ignores a replay without the verifier, and one by another client', async () => {
  const victim = new Actor(sourceIn(0));
  const code = await victim.code();
  const { body } = await victim.exchange(code);
  const replays: Fields[] = [{ code_verifier: null }, { client_id: operator.client_id }];
  for (const replay of replays) expect(outcome(await victim.exchange(code, replay))).toEqual([400, 'invalid_grant']);
  expect(await victim.isActive(String(body['access_token']))).toBe(true);
});

it('leaves no working token after ten concurrent exchanges of a code', async () => {
  const victim = new Actor(sourceIn(0));
  for (let round = 0; round < 5; round += 1) {
    const code = await victim.code();
    const responses = await Promise.all(Array.from({ length: 10 }, () => victim.exchange(code)));
    const won = responses.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const lost of responses.filter((response): response is ApiResponse => !won.includes(response)))
      expect(outcome(lost)).toEqual([400, 'invalid_grant']);
    for (const { body } of won) {
      expect(await victim.isActive(String(body['access_token']))).toBe(false);
      expect(outcome(await victim.refresh(String(body['refresh_token'])))).toEqual([400, 'invalid_grant']);
    }
  }
});

it.each([
  ['', 'invalid_request'],
  ['\u0000', 'invalid_request'],
  ['x', 'invalid_grant'],
  ['a'.repeat(43), 'invalid_grant'],
  ['a'.repeat(10_000), 'invalid_grant'],
  ["' OR '1'='1", 'invalid_grant'],
])('refuses the guessed code %j', async (guess, error) => {
  expect(outcome(await attacker.exchange(guess))).toEqual([400, error]);
});
