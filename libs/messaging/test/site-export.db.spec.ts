import { emptyDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { exportSite } from '../src/site-data/site-export.js';
import type { ExportLine } from '../src/site-data/site-export.js';
import { SITE } from './events.js';

const TABLES = `
  create table lectures (site_id uuid not null, title text not null);
  create table tokens (site_id uuid not null, word text not null);
  create table settings (name text not null);
  insert into lectures values ('${SITE}', 'Harbors');
  insert into tokens values ('${SITE}', 'secret');`;

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await emptyDatabase();
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await source.query(TABLES);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

async function lines(omits: readonly string[]): Promise<ExportLine[]> {
  const read: ExportLine[] = [];
  for await (const line of exportSite(source, SITE, { omits })) read.push(line);
  return read;
}

it('leaves out the rows of omitted tables', async () => {
  expect(await lines(['tokens'])).toEqual([
    { table: 'lectures', row: { site_id: SITE, title: 'Harbors' } },
    { end: true, rows: 1, files: 0 },
  ]);
});

it.each([['former_tokens'], ['settings']])('refuses to omit %s, which no table of sites is', async (name) => {
  await expect(lines(['tokens', name])).rejects.toThrow(`The export omits ${name}`);
});
