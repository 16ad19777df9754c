import { testPostgres } from '@lyceum/testing';
import type { TestPostgres } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { SigningKey, sealedSql } from './signing-key.js';

let server: TestPostgres;
let source: DataSource;
beforeAll(async () => {
  server = await testPostgres(['school']);
  source = await new DataSource({ type: 'postgres', url: server.url('school') }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await server.remove();
});

it.each([0, 24, 57, 200])('seals %d bytes in PostgreSQL as in this process', async (length) => {
  const key = new SigningKey([Buffer.alloc(32, 7)], 'cursor.v1', 'site');
  const bytes = Buffer.alloc(length, 0xfb);
  const [row] = await source.query<{ sealed: string }[]>(`select ${sealedSql('$1::bytea', '$2', '$3')} as sealed`, [
    bytes,
    key.inner,
    key.outer,
  ]);
  expect(row?.sealed).toBe(key.seal(bytes));
});
