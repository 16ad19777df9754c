import { ModuleRef } from '@nestjs/core';
import type { Sql } from '@lyceum/platform';
import { planOf, rowsRead, statementOf } from '@lyceum/testing';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { oldGrant } from '../../test/old-grant.js';
import { HousekeepingModule } from './housekeeping.module.js';
import { HousekeepingRepository } from './housekeeping.repository.js';
import { Housekeeping } from './housekeeping.service.js';

let identity: TestIdentity;
let housekeeping: Housekeeping;
let stage: Awaited<ReturnType<typeof stageOne>>;

beforeAll(async () => {
  identity = await startIdentity(HousekeepingModule);
  housekeeping = identity.context.get(Housekeeping);
  stage = await stageOne(identity);
});
afterAll(() => identity.stop());

const grant = (id: string, age: string): Promise<void> => oldGrant(identity, stage, { id, age });
const rowsOf = async (table: string): Promise<number> => (await identity.sql(`SELECT FROM ${table}`)).length;
const OF_GRANTS = ['authorization_codes', 'access_tokens', 'refresh_tokens'] as const;
/** The only row of a grant. */
async function insertOnly(table: (typeof OF_GRANTS)[number], id: string, left: string): Promise<void> {
  const others = {
    authorization_codes: ['code_hash, payload', `'{}'`],
    access_tokens: ['token_hash, resource, scope, issued_at', `'x', 'x', now()`],
    refresh_tokens: ['token_hash, rotation, payload', `0, '{}'`],
  } as const;
  const [columns, values] = others[table];
  await identity.sql(
    `INSERT INTO ${table} (grant_id, site_id, expires_at, ${columns})
     VALUES ($1, $2, now() + $3::interval, $1::text::bytea, ${values})`,
    [id, stage.site_id, left],
  );
}
const exists = async (id: string) => (await identity.sql('SELECT FROM grants WHERE grant_id = $1', [id])).length === 1;
/** As after a start of the process. */
const restarted = () =>
  identity.context.select(HousekeepingModule).get(ModuleRef, { strict: true }).create(Housekeeping);

it.each([
  ['authorization_codes', '1 day'],
  ['access_tokens', '0 seconds'],
  ['refresh_tokens', '0 seconds'],
] as const)('keeps an old grant with a row of %s alone, and deletes it with this row', async (table, remembered) => {
  const id = `of-${table}`;
  await grant(id, '170 days');
  await insertOnly(table, id, '1 minute');
  await (await restarted()).sweep();
  expect(await exists(id)).toBe(true);
  await identity.sql(
    `UPDATE ${table} SET expires_at = now() - interval '1 second' - $2::interval WHERE grant_id = $1`,
    [id, remembered],
  );
  await housekeeping.sweep();
  expect(await exists(id)).toBe(false);
});

it('deletes a grant whose code was never exchanged when the grant is an hour old', async () => {
  await grant('not-exchanged', '59 minutes');
  await insertOnly('authorization_codes', 'not-exchanged', '-1 seconds');
  await housekeeping.sweep();
  expect([await exists('not-exchanged'), await rowsOf('authorization_codes')]).toEqual([true, 1]);
  await identity.sql(`UPDATE grants SET created_at = now() - interval '61 minutes' WHERE grant_id = 'not-exchanged'`);
  await housekeeping.sweep();
  expect([await exists('not-exchanged'), await rowsOf('authorization_codes')]).toEqual([false, 0]);
});

it('deletes a grant later whose deletion failed after that of its last token', async () => {
  const own = await restarted();
  await own.sweep();
  await grant('half', '3 hours');
  await insertOnly('access_tokens', 'half', '-1 seconds');
  const repository = identity.context.get(HousekeepingRepository);
  const deleteWithoutTokens = repository.deleteWithoutTokens.bind(repository);
  const broken = jest
    .spyOn(repository, 'deleteWithoutTokens')
    .mockImplementation((ids) => (ids.includes('half') ? Promise.reject(new Error('away')) : deleteWithoutTokens(ids)));
  await own.sweep();
  broken.mockRestore();
  expect([await exists('half'), await rowsOf('access_tokens')]).toEqual([true, 0]);
  await own.sweep();
  expect(await exists('half')).toBe(false);
});

it('reads each live grant once, and then no more rows than it deletes', async () => {
  const { site_id, person_id, client_key } = stage;
  const { sql } = identity;
  await sql(
    `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
     SELECT 'live-' || n, $1, $2, $3, 'client', 'member', '{}', now() - interval '2 days' + n * interval '1 second', now() + interval '1 day'
       FROM generate_series(1, 1500) AS n`,
    [site_id, person_id, client_key],
  );
  await sql(
    `INSERT INTO refresh_tokens (token_hash, grant_id, site_id, rotation, payload, expires_at)
     SELECT grant_id::bytea, grant_id, site_id, 0, '{}', now() + interval '1 day' FROM grants WHERE grant_id LIKE 'live-%'`,
  );
  await sql('ANALYZE grants, access_tokens, refresh_tokens, authorization_codes');
  const repository = identity.context.get(HousekeepingRepository);
  const [walk, check] = [jest.spyOn(repository, 'grantsAfter'), jest.spyOn(repository, 'deleteWithoutTokens')];
  const own = await restarted();
  await own.sweep();
  expect(check.mock.calls.flat(2)).toHaveLength(1500);
  walk.mockClear();
  check.mockClear();
  await own.sweep();
  expect(check.mock.calls.flat(2)).toEqual([]);
  const [[place] = []] = walk.mock.calls;
  jest.restoreAllMocks();
  const ids = Array.from({ length: 10 }, (_, n) => `live-${n + 1}`);
  const statements = await Promise.all([
    statementOf((one: Sql) => new HousekeepingRepository(one).grantsAfter(place!, 500)),
    statementOf((one: Sql) => new HousekeepingRepository(one).deleteWithoutTokens(ids)),
    ...OF_GRANTS.map((table) => statementOf((one: Sql) => new HousekeepingRepository(one).sweepOfGrants(table, 500))),
  ]);
  for (const statement of statements) {
    const nodes = await planOf((text, values) => sql<object>(text, values), statement);
    for (const node of nodes) expect([statement.text, rowsRead(node) <= ids.length]).toEqual([statement.text, true]);
  }
  await sql(`DELETE FROM grants WHERE grant_id LIKE 'live-%'`);
});
