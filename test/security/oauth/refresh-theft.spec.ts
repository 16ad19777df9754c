import { Actor, member, memberServer, operator, outcome, sourceIn, type ApiResponse, type Fields } from './attack.js';

const victim = new Actor(sourceIn(14));
const thief = new Actor(sourceIn(14));
const tokenOf = ({ body }: ApiResponse): string => String(body['refresh_token']);

it('ends the family when a thief replays a token after the owner (RFC 9700 §4.14.2)', async () => {
  const stolen = (await victim.tokens()).refresh_token;
  const second = await victim.refresh(stolen);
  const third = await victim.refresh(tokenOf(second));
  expect([second.status, third.status]).toEqual([200, 200]);

  expect(outcome(await thief.refresh(stolen))).toEqual([400, 'invalid_grant']);
  for (const { body } of [second, third]) expect(await victim.isActive(String(body['access_token']))).toBe(false);
  expect(outcome(await victim.refresh(tokenOf(third)))).toEqual([400, 'invalid_grant']);
});

it('ends the family when the owner replays a token after a thief', async () => {
  const stolen = (await victim.tokens()).refresh_token;
  const taken = await thief.refresh(stolen);
  const further = await thief.refresh(tokenOf(taken));
  expect([taken.status, further.status]).toEqual([200, 200]);
  expect(outcome(await victim.refresh(stolen))).toEqual([400, 'invalid_grant']);
  expect(await thief.isActive(String(further.body['access_token']))).toBe(false);
  expect(outcome(await thief.refresh(tokenOf(further)))).toEqual([400, 'invalid_grant']);
});

it('ends the family at the next refresh after a replay within the retry minute', async () => {
  const stolen = (await victim.tokens()).refresh_token;
  const [owners, thiefs] = [await victim.refresh(stolen), await thief.refresh(stolen)];
  expect([owners.status, thiefs.status]).toEqual([200, 200]);
  expect((await victim.refresh(tokenOf(owners))).status).toBe(200);
  // The window of the first token closed with that step.
  expect(outcome(await thief.refresh(stolen))).toEqual([400, 'invalid_grant']);
  expect(await thief.isActive(String(thiefs.body['access_token']))).toBe(false);
});

it('ends a whole family or keeps it working after eight concurrent refreshes', async () => {
  const { refresh_token } = await victim.tokens();
  const responses = await Promise.all(Array.from({ length: 8 }, () => victim.refresh(refresh_token)));
  const given = responses.filter(({ status }) => status === 200);
  // One refresh and three repeats; the others are refused and end nothing.
  expect(given).toHaveLength(4);
  expect(new Set(given.map(tokenOf)).size).toBe(4);
  expect((await victim.refresh(tokenOf(given[2]!))).status).toBe(200);
  const form = { token: tokenOf(given[1]!), client_id: member.client_id };
  expect((await victim.send('/api/oauth/revoke', { form })).status).toBe(200);
  for (const { body } of given) expect(await victim.isActive(String(body['access_token']))).toBe(false);
});

it('refuses a stolen token from another client without ending the family', async () => {
  const { refresh_token } = await victim.tokens();
  const others: Fields[] = [
    { client_id: operator.client_id },
    { client_id: memberServer.client_id, client_secret: memberServer.client_secret! },
  ];
  for (const other of others)
    expect(outcome(await thief.refresh(refresh_token, other))).toEqual([400, 'invalid_grant']);
  expect((await victim.refresh(refresh_token)).status).toBe(200);
});

it('refuses a refresh token of a confidential client without its secret', async () => {
  const owner = new Actor(sourceIn(14));
  const client = { client_id: memberServer.client_id, client_secret: memberServer.client_secret! };
  const { refresh_token } = await owner.tokens(client);
  expect(outcome(await thief.refresh(refresh_token, { client_id: client.client_id }))).toEqual([401, 'invalid_client']);
  expect((await owner.refresh(refresh_token, client)).status).toBe(200);
});

it('rotates the token in every response, and returns no id_token', async () => {
  let token = (await victim.tokens()).refresh_token;
  const seen = new Set([token]);
  for (let step = 0; step < 4; step += 1) {
    const response = await victim.refresh(token);
    expect([response.status, response.body['id_token']]).toEqual([200, undefined]);
    token = tokenOf(response);
    seen.add(token);
  }
  expect(seen.size).toBe(5);
});
