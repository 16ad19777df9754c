import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { MigratedDatabase, schemaSnapshot, unindexedForeignKeys } from '@lyceum/testing';
import { Baseline1763683200000 } from '#src/migrations/1763683200000-baseline.js';
import { migrations } from '#src/migrations/migrations.js';

let database: MigratedDatabase;

afterEach(() => database?.close());

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  database = await MigratedDatabase.open('learner', migrations);
  const { empty, up, down, again } = await database.history.roundTrip();
  expect(Object.keys(up)).toContain('table courses');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

it('indexes each foreign key, and locks one table in each transaction of a migration', async () => {
  database = await MigratedDatabase.open('learner', migrations);
  await database.history.up();
  expect(await unindexedForeignKeys(database)).toEqual([]);
  // Databases of v0.1.0 have run it.
  expect(database.history.lockedTogether).toEqual({ MessagingMilliseconds1793000000001: ['inbox', 'outbox'] });
});

/** Written by the 43 migrations of commit 6a252a99 (ADR 174). */
const BEFORE = readFileSync(join(__dirname, 'schema-before-v0.1.0.txt'), 'utf8');

it('makes the schema and the rows of the migrations from before v0.1.0, and finds a difference', async () => {
  database = await MigratedDatabase.open('learner', [
    Baseline1763683200000,
    // Those of v0.1.0.
    ...messagingMigrations.slice(0, 6),
    ...rateLimitMigrations,
  ]);
  await database.history.up();
  expect(await schemaSnapshot(database)).toBe(BEFORE);
  await database.query('alter table courses alter column epoch drop default');
  expect(await schemaSnapshot(database)).not.toBe(BEFORE);
});
