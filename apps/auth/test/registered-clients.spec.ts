import { RateLimiter } from '@lyceum/rate-limit';
import { eventually } from '@lyceum/testing';
import { LIMITS } from '#src/limits/limits.js';
import { Housekeeping } from '#src/housekeeping/housekeeping.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const LOOPBACK = 'http://127.0.0.1:8400/callback';

describe('A registered client', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
  });
  beforeEach(() => auth.resetLimits());
  afterAll(() => auth.stop());

  const register = () =>
    flow.send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ client_name: 'A tool', redirect_uris: [LOOPBACK] }),
      headers: { 'content-type': 'application/json' },
    });
  const registered = async (): Promise<string> => String((await register()).body['client_id']);
  const rows = (client_id: string) => auth.sql('SELECT 1 FROM clients WHERE client_id = $1', [client_id]);
  const audited = async (client_id: string) =>
    auth.sql<{ event: string; details: unknown }>(
      `SELECT event, details FROM audit_log WHERE client_id = $1 AND event LIKE 'client.%'`,
      [client_id],
    );
  const age = (client_id: string, by: string) =>
    auth.sql(
      `UPDATE clients SET created_at = created_at - $2::interval, last_used_at = last_used_at - $2::interval
        WHERE client_id = $1`,
      [client_id, by],
    );
  async function use(client_id: string): Promise<void> {
    const callback = await flow.callback({ client_id, redirect_uri: LOOPBACK, scope: 'courses:read' }, 'owner');
    expect((await flow.exchange(callback.get('code'), { client_id, redirect_uri: LOOPBACK })).status).toBe(200);
  }

  it('deletes a registered client that is unused for an hour, and keeps it a minute before', async () => {
    const [unused, young] = [await registered(), await registered()];
    await age(unused, '61 minutes');
    await age(young, '59 minutes');
    await auth.app.get(Housekeeping).sweep();
    expect([await rows(unused), (await rows(young)).length]).toEqual([[], 1]);
  });

  it('deletes a registered client that was approved and never fetched its tokens', async () => {
    const client_id = await registered();
    await new Flow(auth).callback({ client_id, redirect_uri: LOOPBACK, scope: 'courses:read' }, 'owner');
    await auth.sql('DELETE FROM grants WHERE client_id = $1', [client_id]);
    await age(client_id, '61 minutes');
    await auth.app.get(Housekeeping).sweep();
    expect(await rows(client_id)).toEqual([]);
  });

  it('audits a registered client once, at its first use, as unverified', async () => {
    const client_id = await registered();
    expect(await audited(client_id)).toEqual([]);
    await use(client_id);
    const details = { source: 'loopback', audience: 'operator', name: 'A tool', verified: false };
    const entries = await eventually(
      () => audited(client_id),
      (found) => found.length > 0,
    );
    expect(entries).toEqual([{ event: 'client.registered', details }]);
    await age(client_id, '2 hours');
    await use(client_id);
    expect(await audited(client_id)).toHaveLength(1);
  });

  it('limits registrations to 2000 an hour per site', async () => {
    await auth.app.get(RateLimiter).take(LIMITS.registration_by_site, auth.site.site_id, 1999);
    expect((await register()).status).toBe(201);
    const { status, headers } = await register();
    expect([status, Number(headers.get('retry-after')) > 60]).toEqual([429, true]);
    expect(
      (
        await new Flow(auth, auth.other).send('/api/oauth/register', {
          method: 'POST',
          body: JSON.stringify({ redirect_uris: [LOOPBACK] }),
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(201);
  });
});
