import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { IDLE_REGISTRATIONS } from './clients.repository.js';

describe('The sweep of registered clients', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  it('reads neither used registrations nor all grants, and finds those that are due by two indexes', async () => {
    const { site_id, person_id } = await stageOne(identity);
    const insert = (kind: string, count: number, made: string, used: string) =>
      identity.sql(
        `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, created_at, last_used_at)
         SELECT $1 || i, $2, 'x', 'operator', 'loopback', '{x}', '{x}', now() - ${made}, ${used}
           FROM generate_series(1, $3::int) i`,
        [kind, site_id, count],
      );
    await insert('used', 20_000, `interval '200 days'`, `now() - interval '2 hours' - i * interval '6 minutes'`);
    await insert('unused', 30, `interval '61 minutes'`, 'NULL');
    await insert('idle', 20, `interval '200 days'`, `now() - interval '91 days'`);
    await identity.sql(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
       SELECT 'g' || client_id, site_id, $1, client_key, client_id, 'operator', '{}', now() + interval '1 day'
         FROM clients WHERE client_id LIKE 'used%'`,
      [person_id],
    );
    await identity.sql('ANALYZE clients, grants');
    expect(await identity.sql(IDLE_REGISTRATIONS, [500])).toHaveLength(50);
    const plan = await identity.sql<Record<string, string>>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) ${IDLE_REGISTRATIONS}`,
      [500],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('clients_registered_unused');
    expect(text).toContain('clients_registered_idle');
    expect(text).not.toMatch(/Seq Scan|Rows Removed by Filter/);
  });
});
