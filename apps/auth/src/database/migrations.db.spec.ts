import { DataSource } from 'typeorm';
import type { MigrationInterface } from 'typeorm';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { migrations } from './migrations.js';

describe('The database of auth', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  it('keeps its audit log: rows can be added, and neither changed nor removed', async () => {
    await identity.sql(`INSERT INTO audit_log (event) VALUES ('sign_in.failed')`);
    await expect(identity.sql(`UPDATE audit_log SET event = 'x'`)).rejects.toThrow('append-only');
    await expect(identity.sql('DELETE FROM audit_log')).rejects.toThrow('append-only');
    await expect(identity.sql('TRUNCATE audit_log')).rejects.toThrow('append-only');
  });

  it('has one person for an e-mail address, in lower case', async () => {
    await identity.sql(`INSERT INTO people (email, name) VALUES ('a@x.example', 'A')`);
    await expect(identity.sql(`INSERT INTO people (email, name) VALUES ('a@x.example', 'B')`)).rejects.toThrow(
      'people_email_key',
    );
    await expect(identity.sql(`INSERT INTO people (email, name) VALUES ('B@x.example', 'B')`)).rejects.toThrow(
      'people_email_check',
    );
  });

  it('has one client of an id at a site, also among those of no site', async () => {
    const { site_id } = await stageOne(identity);
    const insert = (site: string | null) =>
      identity.sql(
        `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
         VALUES ('same', $1, 'x', 'operator', $2, '{x}', '{x}')`,
        [site, site === null ? 'platform' : 'site'],
      );
    await insert(site_id);
    await insert(null);
    await expect(insert(site_id)).rejects.toThrow('clients_id_at_site');
    await expect(insert(null)).rejects.toThrow('clients_id_at_site');
  });

  it('can go back to nothing and forth again', async () => {
    const runner = identity.context.get(DataSource).createQueryRunner();
    const steps = migrations.map((migration) => new (migration as new () => MigrationInterface)());
    for (const step of steps.toReversed()) await step.down(runner);
    const [left] = (await runner.query(
      `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
    )) as { n: number }[];
    expect(left?.n).toBe(0);
    for (const step of steps) await step.up(runner);
    await runner.release();
  });
});
