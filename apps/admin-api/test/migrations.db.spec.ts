import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Writes1763683200001 } from '@lyceum/rest';
import { MigratedDatabase, schemaSnapshot } from '@lyceum/testing';
import { Baseline1763683200000 } from '#src/migrations/1763683200000-baseline.js';
import { SCHOOL_MIGRATIONS } from './open-database.js';

let database: MigratedDatabase;

afterEach(() => database?.close());

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  database = await MigratedDatabase.open('school', SCHOOL_MIGRATIONS);
  const { empty, up, down, again } = await database.history.roundTrip();
  expect(Object.keys(up)).toContain('table courses');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

/** Written by the 90 migrations of commit 6a252a99 (ADR 174). */
const BEFORE = readFileSync(join(__dirname, 'schema-before-v0.1.0.txt'), 'utf8');
const LIBRARIES = [...messagingMigrations, ...rateLimitMigrations, Writes1763683200001];

it('makes the schema and the rows of the migrations from before v0.1.0, and finds a difference', async () => {
  database = await MigratedDatabase.open('school', [Baseline1763683200000, ...LIBRARIES]);
  await database.history.up();
  expect(await schemaSnapshot(database)).toBe(BEFORE);
  await database.query('alter table courses alter column featured drop default');
  expect(await schemaSnapshot(database)).not.toBe(BEFORE);
});
