import { RateLimiter } from '@lyceum/rate-limit';
import { ClientsService } from '#src/clients/clients.service.js';
import { LIMITS, authorizer } from '#src/limits/limits.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('Authorization requests of one client and source', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  it('limits authorizations of one client and source, and shows when to retry', async () => {
    const flow = new Flow(auth);
    const authorize = (client_id: string) => flow.send(flow.authorizationUrl({ client_id }));
    const client = await auth.app.get(ClientsService).atSite('first-member', auth.site.site_id);
    const subject = authorizer(client?.client_key ?? '', '127.0.0.1');
    await auth.app.get(RateLimiter).take(LIMITS.authorizations, subject, LIMITS.authorizations.hits - 1);
    expect((await authorize('first-member')).status).toBe(303);
    const kept = await auth.sql('SELECT 1 FROM interactions');
    const held = await authorize('first-member');
    expect([held.status, held.headers.get('location'), Number(held.headers.get('retry-after')) > 0]).toEqual([
      429,
      null,
      true,
    ]);
    expect(held.body['text']).toContain('temporarily_unavailable');
    expect(await auth.sql('SELECT 1 FROM interactions')).toHaveLength(kept.length);
    expect((await authorize('first-member-server')).status).toBe(303);
  });

  it('does not count authorizations of an unknown client', async () => {
    const flow = new Flow(auth);
    const before = (await auth.sql('SELECT 1 FROM rate_windows')).length;
    expect((await flow.send(flow.authorizationUrl({ client_id: 'unknown' }))).status).toBe(400);
    expect(await auth.sql('SELECT 1 FROM rate_windows')).toHaveLength(before);
  });
});
