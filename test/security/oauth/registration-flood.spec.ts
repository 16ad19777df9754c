import { Actor, CALLBACK, sourceIn, type Answer } from './attack.js';

const register = (actor: Actor, json: object, headers = {}): Promise<Answer> =>
  actor.send('/api/oauth/register', { json, headers });

it('a flood from one source is held at twenty a minute, and no other source feels it', async () => {
  const flood = new Actor(sourceIn(19));
  // Twice the limit and one, at once: the minute may turn in between.
  const answers = await Promise.all(
    Array.from({ length: 41 }, (_, index) =>
      // What the flood itself says of where it comes from stands left of what the proxy knows, and counts for nothing.
      register(flood, { client_name: 'x' }, { 'x-forwarded-for': `10.0.0.${index}, ${flood.source}` }),
    ),
  );
  const held = answers.filter(({ status }) => status === 429);
  const heard = answers.filter(({ status }) => status === 400);
  expect([held.length >= 1, heard.length >= 1, held.length + heard.length]).toEqual([true, true, 41]);
  for (const { headers } of held) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const honest = { client_name: 'Honest', redirect_uris: [CALLBACK] };
  expect((await register(new Actor(sourceIn(20)), honest)).status).toBe(201);
});
