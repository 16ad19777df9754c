import { Outbox } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { startIdentity } from './identity.js';
import type { TestIdentity } from './identity.js';
import { watchConnections } from './one-connection.js';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const STATEMENT = { name: undefined, text: 'select 1' };
const select = (tx?: EntityManager) => identity.context.get(Sql).query(STATEMENT, [], tx);
const transaction = <T>(work: (tx: EntityManager) => Promise<T>) => identity.context.get(Outbox).transaction(work);

it('reports a second connection of a transaction, and no other connection', async () => {
  const check = watchConnections(identity.context.get(DataSource));
  await select();
  await transaction(async (tx) => [await select(tx), await select(tx)]);
  await Promise.all([transaction(select), select()]);
  expect(check).not.toThrow();
  await transaction(() => select());
  expect(check).toThrow('second connection');
});
