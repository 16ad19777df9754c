import { Actor, AS_OPERATOR, member, memberServer, operator, outcome, sourceIn } from './attack.js';

const victim = new Actor(sourceIn(15));
const revoke = (token: string, client: Record<string, string> = { client_id: member.client_id }) =>
  victim.send('/api/oauth/revoke', { form: { token, ...client } });

it('leaves no working token when a refresh races with the revocation', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { access_token, refresh_token } = await victim.tokens();
    const racing = [0, 1, 2].map(() => victim.refresh(refresh_token));
    const revoking = revoke(round % 2 === 0 ? refresh_token : access_token);
    const [revoked, ...refreshed] = await Promise.all([revoking, ...racing]);
    expect(revoked.status).toBe(200);
    for (const response of refreshed) {
      if (response.status !== 200) expect(outcome(response)).toEqual([400, 'invalid_grant']);
      else expect(await victim.isActive(String(response.body['access_token']))).toBe(false);
      const next = response.status === 200 ? String(response.body['refresh_token']) : refresh_token;
      expect(outcome(await victim.refresh(next))).toEqual([400, 'invalid_grant']);
    }
    expect(await victim.isActive(access_token)).toBe(false);
  }
});

it('leaves no working token when an exchange races with the revocation', async () => {
  const code = await victim.code();
  const first = await victim.exchange(code);
  expect(first.status).toBe(200);
  const [again] = await Promise.all([victim.exchange(code), revoke(String(first.body['access_token']))]);
  expect(again.status).toBe(400);
  expect(await victim.isActive(String(first.body['access_token']))).toBe(false);
  expect(outcome(await victim.refresh(String(first.body['refresh_token'])))).toEqual([400, 'invalid_grant']);
});

it.each(['access_token', 'refresh_token'] as const)('ends the whole grant when the %s is revoked', async (which) => {
  const tokens = await victim.tokens();
  expect(await victim.isActive(tokens.access_token)).toBe(true);
  expect((await revoke(tokens[which])).status).toBe(200);
  expect(await victim.isActive(tokens.access_token)).toBe(false);
  expect(outcome(await victim.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
});

it('ends the family when a replaced refresh token is revoked', async () => {
  const { refresh_token } = await victim.tokens();
  const current = await victim.refresh(refresh_token);
  expect(current.status).toBe(200);
  expect((await revoke(refresh_token)).status).toBe(200);
  expect(await victim.isActive(String(current.body['access_token']))).toBe(false);
});

it('ignores the revocation of another client’s token, as of an unknown one (RFC 7009 §2.1)', async () => {
  const { access_token, refresh_token } = await victim.tokens();
  const others: Record<string, string>[] = [
    { client_id: operator.client_id },
    { client_id: memberServer.client_id, client_secret: memberServer.client_secret! },
  ];
  for (const client of others) {
    for (const token of [access_token, refresh_token]) {
      const [theirs, none] = [await revoke(token, client), await revoke('a-token-that-never-was', client)];
      expect([theirs.status, theirs.text]).toEqual([none.status, none.text]);
    }
  }
  const { client_id } = memberServer;
  const unauthenticated: Record<string, string>[] = [{ client_id }, { client_id, client_secret: 'wrong' }];
  for (const client of unauthenticated)
    expect(outcome(await revoke(access_token, client))).toEqual([401, 'invalid_client']);
  expect(await victim.isActive(access_token)).toBe(true);
});

it('keeps other authorizations when one is revoked', async () => {
  const [one, other] = [await victim.tokens(), await victim.tokens()];
  const owner = await new Actor(sourceIn(15)).tokens(AS_OPERATOR, 'owner');
  await revoke(one.refresh_token);
  expect([await victim.isActive(one.access_token), await victim.isActive(other.access_token)]).toEqual([false, true]);
  expect(await victim.isActive(owner.access_token)).toBe(true);
});
