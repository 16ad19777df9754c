import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseOptions } from '../database/database-options.js';
import type { Baseline } from './baseline.js';
import { migrateDatabase } from './migrate.js';

class MakeCourse1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE course (slug text PRIMARY KEY)');
    // Long enough for a second runner to interfere.
    await runner.query('SELECT pg_sleep(0.1)');
  }

  async down(): Promise<void> {}
}

class AddName1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE course ADD COLUMN name text');
  }

  async down(): Promise<void> {}
}

class Breaks1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE course ADD COLUMN half text');
    await runner.query('ALTER TABLE nothing ADD COLUMN half text');
  }

  async down(): Promise<void> {}
}

/** The schema of both migrations above. */
class Baseline1700000000000 implements Baseline {
  readonly replaces = ['MakeCourse1700000000001', 'AddName1700000000002'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE course (slug text PRIMARY KEY, name text)');
  }

  async down(): Promise<void> {}
}

class AddSize1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE course ADD COLUMN size int');
  }

  async down(): Promise<void> {}
}

const DATABASES = ['in_order', 'at_once', 'breaking', 'fresh', 'with_all', 'with_some', 'by_unicode', 'late'] as const;
const GOOD = ['MakeCourse1700000000001', 'AddName1700000000002'];

let server: TestPostgres;
beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await testPostgres(DATABASES);
});
afterAll(() => server.remove());

function optionsOf(database: (typeof DATABASES)[number], ...more: Function[]): DatabaseOptions {
  const migrations = [MakeCourse1700000000001, AddName1700000000002, ...more];
  return { url: server.url(database), applicationName: 'test', entities: [], migrations };
}

async function columnsOf(database: (typeof DATABASES)[number]): Promise<string[]> {
  const client = new pg.Client({ connectionString: server.url(database) });
  await client.connect();
  try {
    const sql = `SELECT column_name FROM information_schema.columns WHERE table_name = 'course' ORDER BY 1`;
    return (await client.query<{ column_name: string }>(sql)).rows.map((row) => row.column_name);
  } finally {
    await client.end();
  }
}

/** A database with the locale that CloudNativePG chooses by default. Returns its connection string. */
async function asciiDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ascii TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`);
  await client.end();
  return server.adminUrl.replace(/postgres$/, 'ascii');
}

describe('migrateDatabase', () => {
  it('runs pending migrations in order, and nothing the second time', async () => {
    expect(await migrateDatabase(optionsOf('in_order'))).toEqual(GOOD);
    expect(await columnsOf('in_order')).toEqual(['name', 'slug']);
    expect(await migrateDatabase(optionsOf('in_order'))).toEqual([]);
  });

  it('runs each migration once with several concurrent runners', async () => {
    const ran = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(optionsOf('at_once'))));
    expect(ran.filter((names) => names.length > 0)).toEqual([GOOD]);
  });

  it('rolls back the failing migration, keeps earlier ones and releases the lock', async () => {
    await expect(migrateDatabase(optionsOf('breaking', Breaks1700000000003))).rejects.toThrow('"nothing"');
    expect(await columnsOf('breaking')).toEqual(['name', 'slug']);
    expect(await migrateDatabase(optionsOf('breaking'))).toEqual([]);
  });

  it('makes the schema of a baseline in a database without the migrations that it replaces', async () => {
    const squashed = { ...optionsOf('fresh'), migrations: [AddSize1700000000004, Baseline1700000000000] };
    expect(await migrateDatabase(squashed)).toEqual(['Baseline1700000000000', 'AddSize1700000000004']);
    expect(await columnsOf('fresh')).toEqual(['name', 'size', 'slug']);
    expect(await migrateDatabase(squashed)).toEqual([]);
  });

  it('accepts a database with all migrations that a baseline replaces, and runs later ones', async () => {
    await migrateDatabase(optionsOf('with_all'));
    const squashed = { ...optionsOf('with_all'), migrations: [AddSize1700000000004, Baseline1700000000000] };
    expect(await migrateDatabase(squashed)).toEqual(['AddSize1700000000004']);
    expect(await columnsOf('with_all')).toEqual(['name', 'size', 'slug']);
    expect(await migrateDatabase(squashed)).toEqual([]);
    // Replicas of the release before find their migrations.
    expect(await migrateDatabase(optionsOf('with_all'))).toEqual([]);
  });

  it('changes nothing in a database with some of the migrations that a baseline replaces, and says what to do', async () => {
    await migrateDatabase({ ...optionsOf('with_some'), migrations: [MakeCourse1700000000001] });
    const squashed = { ...optionsOf('with_some'), migrations: [AddSize1700000000004, Baseline1700000000000] };
    await expect(migrateDatabase(squashed)).rejects.toThrow(
      /1 of the 2 migrations .+ first missing one is AddName1700000000002\. Run `migrate` of the last commit before/,
    );
    expect(await columnsOf('with_some')).toEqual(['slug']);
    expect(await migrateDatabase(optionsOf('with_some'))).toEqual(['AddName1700000000002']);
    expect(await migrateDatabase(squashed)).toEqual(['AddSize1700000000004']);
  });

  it('warns of a database that does not know the case of letters beyond A to Z, after its migrations', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    expect(await migrateDatabase(optionsOf('by_unicode'))).toEqual(GOOD);
    expect(warn).not.toHaveBeenCalled();
    const url = await asciiDatabase();
    expect(await migrateDatabase({ ...optionsOf('by_unicode'), url })).toEqual(GOOD);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('A to Z alone'));
    warn.mockRestore();
  });

  it('waits for a server that is not up yet', async () => {
    await server.stop();
    const migrating = migrateDatabase(optionsOf('late'));
    // Several attempts to connect fail meanwhile.
    await sleep(700);
    await server.restart();
    expect(await migrating).toEqual(GOOD);
  });
});
