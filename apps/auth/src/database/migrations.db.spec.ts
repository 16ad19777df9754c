import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { MigratedDatabase, schemaSnapshot, unindexedForeignKeys } from '@lyceum/testing';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { AuditRetention } from '#src/audit/audit-retention.js';
import { Baseline1763700000000 } from './1763700000000-baseline.migration.js';
import { migrations } from './migrations.js';

describe('The database of auth', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  afterAll(() => identity.stop());

  it('stores one person per lower-case email address', async () => {
    await identity.sql(`INSERT INTO people (email, name) VALUES ('a@x.example', 'A')`);
    await expect(identity.sql(`INSERT INTO people (email, name) VALUES ('a@x.example', 'B')`)).rejects.toThrow(
      'people_email_key',
    );
    await expect(identity.sql(`INSERT INTO people (email, name) VALUES ('B@x.example', 'B')`)).rejects.toThrow(
      'people_email_check',
    );
  });

  it('stores one client per id and site, also among clients without a site', async () => {
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

  it('refuses a member without roles, and roles of a removed member', async () => {
    const { site_id } = await stageOne(identity, 'roles');
    for (const change of [`roles = '{}'`, `state = 'removed'`]) {
      await expect(identity.sql(`UPDATE site_members SET ${change} WHERE site_id = $1`, [site_id])).rejects.toThrow(
        'site_members_removed_without_roles',
      );
    }
  });

  it('keeps audit entries of all earlier months until the last month of their partition is too old', async () => {
    const entries = () => identity.sql<{ event: string }>('SELECT audit_id, event FROM audit_log ORDER BY audit_id');
    await identity.sql(`INSERT INTO audit_log (audit_id, event) VALUES (uuidv7(interval '-3 years'), 'site.changed')`);
    expect((await entries()).map(({ event }) => event)).toContain('site.changed');
    const oldest = async () =>
      identity.sql<{ name: string }>(
        'SELECT DISTINCT tableoid::regclass::text AS name FROM audit_log ORDER BY 1 LIMIT 1',
      );
    // The partition of all months before partitioning has no start, and is dropped with its last month.
    const [first] = await oldest();
    const retention = identity.context.get(AuditRetention);
    const now = new Date();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 14, 1);
    await retention.maintain(new Date(end - 1));
    expect(await oldest()).toEqual([first]);
    await retention.maintain(new Date(end));
    expect((await entries()).map(({ event }) => event)).not.toContain('site.changed');
  });
});

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  const database = await MigratedDatabase.open('auth', migrations);
  const { empty, up, down, again } = await database.history.roundTrip();
  await database.close();
  expect(Object.keys(up)).toContain('table people');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

/** Foreign keys without an index, and why a deletion of the other row can do without. */
const WITHOUT_INDEX = {
  'email_changes (site_id) of sites': 'rows of a day',
  'email_links (site_id) of sites': 'rows of an hour',
  'interactions (site_id) of sites': 'rows of half an hour',
  'invitations (site_id) of sites': 'rows of five weeks',
  'passkey_challenges (site_id) of sites': 'rows of minutes',
  'profile_pictures (person_id) of people': 'people are never deleted',
  'school_students (person_id) of people': 'people are never deleted',
};

it('indexes each foreign key of a large table, and locks one table in each transaction of a migration', async () => {
  const database = await MigratedDatabase.open('auth', migrations);
  try {
    await database.history.up();
    expect(await unindexedForeignKeys(database)).toEqual(Object.keys(WITHOUT_INDEX));
    // Databases of v0.1.0 have run it.
    expect(database.history.lockedTogether).toEqual({ MessagingMilliseconds1793000000001: ['inbox', 'outbox'] });
    await database.query('drop index consents_of_client');
    expect(await unindexedForeignKeys(database)).toContain('consents (client_key) of clients');
  } finally {
    await database.close();
  }
});

/** Written by the 47 migrations of commit 6a252a99 (ADR 174). */
const BEFORE = readFileSync(join(__dirname, 'schema-before-v0.1.0.txt'), 'utf8');

it('makes the schema and the rows of the migrations from before v0.1.0, and finds a difference', async () => {
  const database = await MigratedDatabase.open('auth', [
    Baseline1763700000000,
    // Those of v0.1.0.
    ...messagingMigrations.slice(0, 6),
    ...rateLimitMigrations,
  ]);
  try {
    await database.history.up();
    expect(await schemaSnapshot(database)).toBe(BEFORE);
    await database.query('drop index audit_log_of_event');
    expect(await schemaSnapshot(database)).not.toBe(BEFORE);
  } finally {
    await database.close();
  }
});
