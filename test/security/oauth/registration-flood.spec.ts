import { Actor, CALLBACK, sourceIn, type ApiResponse } from './attack.js';

const register = (actor: Actor, json: object, headers = {}): Promise<ApiResponse> =>
  actor.send('/api/oauth/register', { json, headers });

it('limits one source to twenty registrations a minute, without affecting others', async () => {
  const flood = new Actor(sourceIn(19));
  // Twice the limit and one, at once: the minute may turn in between.
  const responses = await Promise.all(
    Array.from({ length: 41 }, (_, index) =>
      // A client's own X-Forwarded-For entries stand left of the proxy's and do not count.
      register(flood, { client_name: 'x' }, { 'x-forwarded-for': `10.0.0.${index}, ${flood.source}` }),
    ),
  );
  const held = responses.filter(({ status }) => status === 429);
  const invalid = responses.filter(({ status }) => status === 400);
  expect([held.length >= 1, invalid.length >= 1, held.length + invalid.length]).toEqual([true, true, 41]);
  for (const { headers } of held) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const honest = { client_name: 'Honest', redirect_uris: [CALLBACK] };
  expect((await register(new Actor(sourceIn(20)), honest)).status).toBe(201);
});
