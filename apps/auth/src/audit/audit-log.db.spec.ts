import { DataSource } from 'typeorm';
import { AuthSettings } from '#src/auth.environment.js';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { auditFilter } from './audit-filter.policy.js';
import { AuditRetention } from './audit-retention.js';
import { AuditService } from './audit.service.js';

const KEPT_MONTHS = 13;

describe('The audit log', () => {
  let identity: TestIdentity;
  let retention: AuditRetention;

  beforeEach(async () => {
    identity = await startIdentity();
    retention = identity.context.get(AuditRetention);
  });
  afterEach(() => identity.stop());

  /** The first instant in UTC of the month `months` from now. */
  function monthFromNow(months: number): Date {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  }
  const nameOf = (months: number): string =>
    `audit_log_${monthFromNow(months).toISOString().slice(0, 7).replace('-', '_')}`;
  const partitions = async (): Promise<string[]> => {
    const found = await identity.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_log'::regclass ORDER BY 1`,
    );
    return found.map(({ name }) => name).filter((name) => name !== 'audit_log_default');
  };
  const range = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => nameOf(from + index));

  it('creates the audit partitions of this month and the next twelve in the migration', async () => {
    expect(await partitions()).toEqual(range(0, 12));
    await identity.context.get(AuditService).record({ event: 'sign_in.failed', site_id: null });
    expect(await identity.sql(`SELECT event FROM ${nameOf(0)}`)).toEqual([{ event: 'sign_in.failed' }]);
  });

  it('creates each missing audit partition once when several replicas run at the same time', async () => {
    const later = monthFromNow(2);
    await Promise.all(Array.from({ length: 6 }, () => retention.maintain(later)));
    await retention.maintain(later);
    expect(await partitions()).toEqual(range(0, 14));
    await retention.maintain(new Date(monthFromNow(4).getTime() - 1));
    expect(await partitions()).toEqual(range(0, 15));
  });

  it('stores entries of the last instant of a month and the first of the next in separate partitions', async () => {
    const first = monthFromNow(3).getTime();
    const id = (at: number, rest: string): string => at.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-') + rest;
    for (const audit_id of [id(first - 1, '-7fff-bfff-ffffffffffff'), id(first, '-7000-8000-000000000000')])
      await identity.sql(`INSERT INTO audit_log (audit_id, event) VALUES ($1, 'sign_in.failed')`, [audit_id]);
    const found = await identity.sql<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM audit_log ORDER BY audit_id',
    );
    expect(found).toEqual([{ name: nameOf(2) }, { name: nameOf(3) }]);
  });

  it('allows inserts into the audit log, and neither updates nor deletes', async () => {
    // One row in each partition: the last one is in the default partition.
    await identity.sql(
      `INSERT INTO audit_log (audit_id, event)
       SELECT uuidv7(m * interval '28 days'), 'sign_in.failed' FROM generate_series(0, 20) m`,
    );
    await expect(identity.sql(`UPDATE audit_log SET event = 'x'`)).rejects.toThrow('append-only');
    await expect(identity.sql('DELETE FROM audit_log')).rejects.toThrow('append-only');
    await expect(identity.sql('TRUNCATE audit_log')).rejects.toThrow('append-only');
    const partitions = await identity.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_log'::regclass`,
    );
    expect(partitions.length).toBe(14);
    for (const { name } of partitions) {
      await expect(identity.sql(`UPDATE ${name} SET event = 'x'`)).rejects.toThrow('append-only');
      await expect(identity.sql(`DELETE FROM ${name}`)).rejects.toThrow('append-only');
      await expect(identity.sql(`TRUNCATE ${name}`)).rejects.toThrow('append-only');
    }
  });

  it('stores an entry of a month without a partition, and makes its partition later', async () => {
    const entry = (years: number) =>
      identity.sql(`INSERT INTO audit_log (audit_id, event) VALUES (uuidv7($1::interval), 'site.changed')`, [
        `${years} years`,
      ]);
    await entry(2);
    const place = () => identity.sql<{ name: string }>('SELECT tableoid::regclass::text AS name FROM audit_log');
    expect(await place()).toEqual([{ name: 'audit_log_default' }]);
    await retention.maintain();
    const [{ name } = { name: '' }] = await place();
    expect(name).toBe(nameOf(24));
    await expect(identity.sql(`TRUNCATE ${name}`)).rejects.toThrow('append-only');
    await expect(identity.sql(`DELETE FROM ${name}`)).rejects.toThrow('append-only');
    await entry(3);
    expect(await place()).toContainEqual({ name: 'audit_log_default' });
    await expect(identity.sql('TRUNCATE audit_log_default')).rejects.toThrow('append-only');
  });

  it('drops an audit partition once it is older than the retention, and not before', async () => {
    await identity.context.get(AuditService).record({ event: 'sign_in.failed', site_id: null });
    await retention.maintain(new Date(monthFromNow(KEPT_MONTHS + 1).getTime() - 1));
    expect((await partitions())[0]).toBe(nameOf(0));
    expect(await identity.sql('SELECT event FROM audit_log')).toHaveLength(1);
    await retention.maintain(monthFromNow(KEPT_MONTHS + 1));
    expect((await partitions())[0]).toBe(nameOf(1));
    expect(await identity.sql('SELECT event FROM audit_log')).toEqual([]);
  });

  it('keeps old audit partitions while the table is locked, and drops them in the next run', async () => {
    const runner = identity.context.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT 1 FROM audit_log');
    await expect(retention.maintain(monthFromNow(KEPT_MONTHS + 1))).rejects.toThrow('lock timeout');
    await runner.rollbackTransaction();
    await runner.release();
    expect((await partitions())[0]).toBe(nameOf(0));
    await retention.maintain(monthFromNow(KEPT_MONTHS + 1));
    expect((await partitions())[0]).toBe(nameOf(1));
  });

  it('reads audit entries newest first, page by page across months, by the index of each partition', async () => {
    const { site_id } = await stageOne(identity);
    const months = [0, 1, 2];
    for (const month of months)
      await identity.sql(
        `INSERT INTO audit_log (audit_id, event, site_id)
         SELECT uuidv7($1::interval + n * interval '1 minute'), 'e', $2 FROM generate_series(1, 400) n`,
        [`${(monthFromNow(month).getTime() - Date.now()) / 1000 + 60} seconds`, site_id],
      );
    await identity.sql('ANALYZE audit_log');
    const audit = identity.context.get(AuditService);
    const seen: string[] = [];
    for (let before: string | undefined, more = true; more; before = seen.at(-1)) {
      const page = await audit.page(site_id, auditFilter({}, 'UTC'), before, 250);
      seen.push(...page.rows.map(({ audit_id }) => audit_id));
      more = page.more;
    }
    expect(seen).toHaveLength(months.length * 400);
    expect(seen).toEqual(seen.toSorted().toReversed());
    const plan = await identity.sql<Record<string, string>>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF)
       SELECT audit_id FROM audit_log WHERE site_id = '${site_id}' AND audit_id < '${seen[10]}'
        ORDER BY audit_id DESC LIMIT 50`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(/Seq Scan|Sort/);
    expect(text).toMatch(new RegExp(`Index.* Scan.* on ${nameOf(2)}`));
    expect(text).toMatch(new RegExp(`on ${nameOf(0)}.*never executed`));
  });
});

describe('The audit log without a retention limit', () => {
  it('keeps every audit partition without a retention limit', async () => {
    const identity = await startIdentity();
    try {
      const settings = new AuthSettings({ ...identity.config, AUDIT_LOG_MONTHS: 0 });
      const everything = new AuditRetention(identity.context.get(DataSource), settings);
      await everything.maintain(new Date('2126-01-01T00:00:00Z'));
      const [row] = await identity.sql<{ oldest: string; n: number }>(
        `SELECT min(inhrelid::regclass::text) AS oldest, count(*)::int AS n FROM pg_inherits WHERE inhparent = 'audit_log'::regclass`,
      );
      // Two times this month and the twelve after it, and the default partition.
      expect(row).toEqual({ oldest: `audit_log_${new Date().toISOString().slice(0, 7).replace('-', '_')}`, n: 27 });
    } finally {
      await identity.stop();
    }
  });
});
