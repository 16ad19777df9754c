import { MetricsRegistry } from '@lyceum/platform';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { HousekeepingModule } from './housekeeping.module.js';
import { HousekeepingMetrics } from './housekeeping.metrics.js';
import { Housekeeping } from './housekeeping.service.js';
import { TablesRepository } from './tables.repository.js';

type Series = Record<string, number>;

describe('The metrics of housekeeping', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity(HousekeepingModule);
    const { site_id } = await stageOne(identity);
    const insert = (from: number, to: number, left: string) =>
      identity.sql(
        `INSERT INTO sessions (session_hash, uid, site_id, payload, expires_at)
         SELECT n::text::bytea, n, $1, '{}', now() + $4::interval FROM generate_series($2::int, $3::int) AS n`,
        [site_id, from, to, left],
      );
    await insert(1, 600, '-1 hour');
    await insert(601, 650, '1 hour');
  });
  afterAll(() => identity.stop());

  async function series(registry: MetricsRegistry, name: string): Promise<Series> {
    const { values = [] } = (await registry.registry.getSingleMetric(name)?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [labels['table'], value]));
  }
  /** Like the scrape of a process that has just started. */
  function fresh(tables: Pick<TablesRepository, 'states'> = identity.context.get(TablesRepository)): MetricsRegistry {
    const registry = new MetricsRegistry('auth');
    void new HousekeepingMetrics(registry, tables as TablesRepository);
    return registry;
  }

  it('reports the age of the oldest due row, 0 without one, and the estimated number of rows', async () => {
    expect(await series(fresh(), 'auth_table_rows')).not.toHaveProperty('sessions');
    await identity.sql('ANALYZE sessions');
    const registry = fresh();
    const overdue = await series(registry, 'auth_table_overdue_seconds');
    expect(Math.floor((overdue['sessions'] ?? 0) / 60)).toBe(60);
    expect(overdue).toMatchObject({ access_tokens: 0, invitations: 0, consents: 0 });
    expect(overdue).not.toHaveProperty('grants');
    expect((await series(registry, 'auth_table_rows'))['sessions']).toBe(650);
  });

  it('counts deleted rows and batches, and nothing for an empty run', async () => {
    const registry = identity.context.get(MetricsRegistry);
    for (let pass = 0; pass < 2; pass += 1) {
      await identity.context.get(Housekeeping).sweep();
      expect(await series(registry, 'auth_housekeeping_rows_removed_total')).toEqual({ sessions: 600 });
      expect(await series(registry, 'auth_housekeeping_batches_total')).toEqual({ sessions: 2 });
    }
    expect((await series(fresh(), 'auth_table_overdue_seconds'))['sessions']).toBe(0);
  });

  it('queries the database once for all scrapes within some seconds', async () => {
    let queries = 0;
    const registry = fresh({
      states() {
        queries += 1;
        return identity.context.get(TablesRepository).states();
      },
    });
    await Promise.all([registry.registry.metrics(), registry.registry.metrics()]);
    await registry.registry.metrics();
    expect(queries).toBe(1);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])(
    'omits the housekeeping metrics from a scrape when the database %s, and keeps the others',
    async (_case, states) => {
      const text = await fresh({ states }).registry.metrics();
      expect(text).toContain('process_cpu_seconds_total');
      expect(text).not.toContain('auth_table_rows{');
    },
  );
});
