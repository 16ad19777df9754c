import { ClientsService } from '#src/clients/clients.service.js';
import { LIMITS, LimitsService, authorizer } from '#src/limits/limits.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const { hits, windowSeconds } = LIMITS.authorizations;

describe('Authorization requests of one client and source', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  it('are heard up to the limit, and then turned away with a page that says when to come again', async () => {
    const flow = new Flow(auth);
    const ask = (client_id: string) => flow.send(flow.authorizationUrl({ client_id }));
    const client = await auth.app.get(ClientsService).atSite('first-member', auth.site.site_id);
    const who = authorizer(client?.client_key ?? '', '127.0.0.1');
    for (let hit = 1; hit < hits; hit += 1) await auth.app.get(LimitsService).take(LIMITS.authorizations, who);
    // So that the end of the window changes nothing.
    await auth.sql(
      `INSERT INTO rate_limits (limit_key, window_start, hits)
       SELECT limit_key, window_start + make_interval(secs => $1), $2 FROM rate_limits`,
      [windowSeconds, hits - 1],
    );
    expect((await ask('first-member')).status).toBe(303);
    const kept = await auth.sql('SELECT 1 FROM interactions');
    const held = await ask('first-member');
    expect([held.status, held.headers.get('location'), Number(held.headers.get('retry-after')) > 0]).toEqual([
      429,
      null,
      true,
    ]);
    expect(held.body['text']).toContain('temporarily_unavailable');
    expect(await auth.sql('SELECT 1 FROM interactions')).toHaveLength(kept.length);
    expect((await ask('first-member-server')).status).toBe(303);
  });

  it('of a client that there is not are not counted', async () => {
    const flow = new Flow(auth);
    const before = (await auth.sql('SELECT 1 FROM rate_limits')).length;
    expect((await flow.send(flow.authorizationUrl({ client_id: 'nobody' }))).status).toBe(400);
    expect(await auth.sql('SELECT 1 FROM rate_limits')).toHaveLength(before);
  });
});
