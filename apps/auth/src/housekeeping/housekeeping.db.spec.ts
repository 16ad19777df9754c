import { Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Sql } from '@lyceum/platform';
import { planOf, rowsRead, statementOf } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { HousekeepingModule } from './housekeeping.module.js';
import { HousekeepingRepository } from './housekeeping.repository.js';
import { Housekeeping } from './housekeeping.service.js';

describe('Housekeeping', () => {
  let identity: TestIdentity;
  let housekeeping: Housekeeping;
  let stage: Awaited<ReturnType<typeof stageOne>>;

  beforeAll(async () => {
    identity = await startIdentity(HousekeepingModule);
    housekeeping = identity.context.get(Housekeeping);
    stage = await stageOne(identity);
  });
  afterAll(() => identity.stop());

  const count = async (table: string): Promise<number> => {
    const [row] = await identity.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return row?.n ?? -1;
  };
  async function grant(id: string, age: string): Promise<void> {
    const { site_id, person_id, client_key } = stage;
    await identity.sql(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'client', 'member', '{}', now() - $5::interval, now() + interval '1 day')`,
      [id, site_id, person_id, client_key, age],
    );
  }
  const token = (hash: string, grantId: string, left: string) =>
    identity.sql(
      `INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
       VALUES ($1::bytea, $2, $3, 'x', 'x', now(), now() + $4::interval)`,
      [hash, grantId, stage.site_id, left],
    );

  it('deletes expired rows and keeps the others', async () => {
    await grant('kept', '2 hours');
    await token('live', 'kept', '1 minute');
    await token('dead', 'kept', '0 seconds');
    await identity.sql(
      `INSERT INTO sessions (session_hash, uid, site_id, payload, expires_at)
       VALUES ('a', 'a', $1, '{}', now()), ('b', 'b', $1, '{}', now() + interval '1 minute')`,
      [stage.site_id],
    );
    await identity.sql(
      `INSERT INTO passkey_challenges (challenge_hash, site_id, ceremony, browser_hash, expires_at)
       VALUES ('a', $1, 'get', 'a', now()), ('b', $1, 'create', 'b', now() + interval '1 minute')`,
      [stage.site_id],
    );
    await housekeeping.sweep();
    const tables = ['access_tokens', 'sessions', 'grants', 'passkey_challenges'];
    expect(await Promise.all(tables.map(count))).toEqual([1, 1, 1, 1]);
  });

  it('deletes expired consents and keeps the others', async () => {
    const { site_id, person_id, client_key } = stage;
    await identity.sql(
      `INSERT INTO consents (person_id, client_key, site_id, resource, scopes, expires_at)
       VALUES ($1, $2, $3, 'over', '{openid}', now()), ($1, $2, $3, 'stands', '{openid}', now() + interval '1 minute')`,
      [person_id, client_key, site_id],
    );
    await housekeeping.sweep();
    expect(await identity.sql('SELECT resource FROM consents')).toEqual([{ resource: 'stands' }]);
    await identity.sql('DELETE FROM consents');
  });

  it('rotates the signing keys on schedule, also when the sweep fails', async () => {
    const keys = async () => (await identity.sql('SELECT 1 FROM signing_keys')).length;
    await identity.context.get(KeyRing).current();
    await housekeeping.runOnce();
    expect(await keys()).toBe(1);
    await identity.sql(`UPDATE signing_keys SET signs_from = now() - interval '89 days'`);
    const broken = jest
      .spyOn(identity.context.get(HousekeepingRepository), 'sweep')
      .mockRejectedValue(new Error('away'));
    await housekeeping.runOnce();
    broken.mockRestore();
    expect(await keys()).toBe(2);
  });

  it('deletes expired grants without a token', async () => {
    await grant('abandoned', '61 minutes');
    await grant('young', '59 minutes');
    await housekeeping.sweep();
    const left = await identity.sql<{ grant_id: string }>('SELECT grant_id FROM grants ORDER BY grant_id');
    expect(left.map(({ grant_id }) => grant_id)).toEqual(['kept', 'young']);
  });

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
  const exists = async (id: string) =>
    (await identity.sql('SELECT FROM grants WHERE grant_id = $1', [id])).length === 1;
  /** As after a start of the process. */
  const restarted = () =>
    identity.context.select(HousekeepingModule).get(ModuleRef, { strict: true }).create(Housekeeping);

  it.each(OF_GRANTS)('keeps an old grant with a row of %s alone, and deletes it with this row', async (table) => {
    const id = `of-${table}`;
    await grant(id, '170 days');
    await insertOnly(table, id, '1 minute');
    await (await restarted()).sweep();
    expect(await exists(id)).toBe(true);
    await identity.sql(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE grant_id = $1`, [id]);
    await housekeeping.sweep();
    expect(await exists(id)).toBe(false);
  });

  it('deletes a grant whose code was never exchanged when the grant is an hour old', async () => {
    await grant('not-exchanged', '59 minutes');
    await insertOnly('authorization_codes', 'not-exchanged', '-1 seconds');
    await housekeeping.sweep();
    expect([await exists('not-exchanged'), await count('authorization_codes')]).toEqual([true, 0]);
    await identity.sql(`UPDATE grants SET created_at = now() - interval '61 minutes' WHERE grant_id = 'not-exchanged'`);
    await housekeeping.sweep();
    expect(await exists('not-exchanged')).toBe(false);
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
      .mockImplementation((ids) =>
        ids.includes('half') ? Promise.reject(new Error('away')) : deleteWithoutTokens(ids),
      );
    await own.sweep();
    broken.mockRestore();
    expect([await exists('half'), await count('access_tokens')]).toEqual([true, 1]);
    await own.sweep();
    expect(await exists('half')).toBe(false);
  });

  it('reads each live grant once, and then no more rows than it deletes', async () => {
    const { site_id, person_id, client_key } = stage;
    const { sql } = identity;
    await sql(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
       SELECT 'live-' || n, $1, $2, $3, 'client', 'member', '{}', now() - interval '2 days', now() + interval '1 day'
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
    expect(check.mock.calls.flat(2).length).toBeGreaterThan(1500);
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

  it('continues with the other tables when one fails, and logs each error once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const repository = identity.context.get(HousekeepingRepository);
    const sweep = repository.sweep.bind(repository);
    jest
      .spyOn(repository, 'sweep')
      .mockImplementation((table, limit) =>
        ['interactions', 'mails'].includes(table) ? Promise.reject(new Error('too slow')) : sweep(table, limit),
      );
    jest.spyOn(repository, 'grantsAfter').mockRejectedValue(new Error('locked'));
    await identity.sql(
      `INSERT INTO sessions (session_hash, uid, site_id, payload, expires_at) VALUES ('c', 'c', $1, '{}', now())`,
      [stage.site_id],
    );
    await identity.sql(
      `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, created_at)
       VALUES ('behind-a-failure', $1, 'y', 'operator', 'loopback', '{x}', '{x}', now() - interval '2 hours')`,
      [stage.site_id],
    );
    await housekeeping.sweep();
    const warned = warn.mock.calls.map(([message]) => message as unknown);
    jest.restoreAllMocks();
    const left = await identity.sql(
      `SELECT uid FROM sessions WHERE uid = 'c' UNION ALL SELECT client_id FROM clients WHERE name = 'y'`,
    );
    expect(left).toEqual([]);
    expect(warned).toEqual([
      'the sweep of interactions, mails failed and will be retried: Error: too slow',
      'the sweep of grants failed and will be retried: Error: locked',
    ]);
  });

  const DONE = ['ended_at', '1 day', 'null'] as const;
  const DEAD = ['ended_at', '31 days', `'refused'`] as const;
  const mail = ['mails', 'site_id, person_id, kind, ended_at, failure', `site, person, 'welcome', at`] as const;
  const reset = ['password_reset_requests', 'site_id, address, ended_at, failure', `site, 'a@b.example', at`] as const;
  const link = [
    'email_link_requests',
    'site_id, purpose, address, browser_hash, ended_at, failure',
    `site, 'sign_in', 'a@b.example', 'x', at`,
  ] as const;
  const jobs = ([column, age, failure]: typeof DONE | typeof DEAD) =>
    [mail, reset, link].map(
      ([table, columns, values]) => [table, column, age, columns, `${values}, ${failure}`] as const,
    );

  it.each([
    ...jobs(DONE),
    ...jobs(DEAD),
    ['invitations', 'expires_at', '30 days', 'site_id, person_id, token_hash, expires_at', 'site, person, key, at'],
    ['member_requests', 'created_at', '1 day', 'site_id, request_id, created_at', 'site, uuidv7(), at'],
    ['sign_in_attempts', 'last_at', '1 day', 'attempt_key, failures, last_at, blocked_until', 'key, 1, at, at'],
  ] as const)('keeps a row of %s for the age of its %s, %s', async (table, column, age, columns, values) => {
    await identity.sql(`DELETE FROM ${table}`);
    await identity.sql(
      `INSERT INTO ${table} (${columns})
       SELECT ${values} FROM (
         SELECT $1::uuid AS site, $2::uuid AS person, now() - $3::interval - beyond AS at, beyond::text::bytea AS key
           FROM unnest('{-1 minute,1 minute}'::interval[]) AS beyond) AS given`,
      [stage.site_id, stage.person_id, age],
    );
    await housekeeping.sweep();
    const left = await identity.sql(`SELECT ${column} > now() - $1::interval AS inside FROM ${table}`, [age]);
    expect(left).toEqual([{ inside: true }]);
  });

  it('skips locked rows without waiting for them', async () => {
    await token('used', 'kept', '-1 seconds');
    await identity.context.get(DataSource).transaction(async (manager) => {
      await manager.query(`SELECT 1 FROM access_tokens WHERE token_hash = 'used' FOR UPDATE`);
      await housekeeping.sweep();
      expect(await count('access_tokens')).toBe(2);
    });
    await housekeeping.sweep();
    expect(await count('access_tokens')).toBe(1);
  });

  it('deletes registered clients that were unused for an hour or idle for 90 days, and no others', async () => {
    const insert = (id: string, source: string, made: string, used: string | null) =>
      identity.sql(
        `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, created_at, last_used_at)
         VALUES ($1, $2, 'x', 'operator', $3, '{x}', '{x}', now() - $4::interval, now() - $5::interval)`,
        [id, stage.site_id, source, made, used],
      );
    await insert('never-used', 'loopback', '61 minutes', null);
    await insert('just-made', 'loopback', '59 minutes', null);
    await insert('idle', 'loopback', '200 days', '91 days');
    await insert('used', 'loopback', '200 days', '89 days');
    await insert('by-the-site', 'site', '200 days', null);
    await housekeeping.sweep();
    const left = await identity.sql<{ client_id: string }>(
      `SELECT client_id FROM clients WHERE name = 'x' AND source IN ('loopback', 'site') ORDER BY client_id`,
    );
    expect(left.map(({ client_id }) => client_id)).toEqual(['by-the-site', 'just-made', 'used']);
  });

  it('keeps a registered client that a person has approved', async () => {
    const { site_id, person_id } = stage;
    const [client] = await identity.sql<{ client_key: string }>(
      `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, created_at, last_used_at)
       VALUES ('granted', $1, 'x', 'operator', 'loopback', '{x}', '{x}', now() - interval '200 days', now() - interval '91 days')
       RETURNING client_key`,
      [site_id],
    );
    await identity.sql(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
       VALUES ('of-granted', $1, $2, $3, 'granted', 'operator', '{}', now(), now() + interval '1 day')`,
      [site_id, person_id, client?.client_key],
    );
    await housekeeping.sweep();
    const left = await identity.sql(`SELECT 1 FROM clients WHERE client_id = 'granted' AND deleted_at IS NULL`);
    expect(left).toHaveLength(1);
  });

  it('deletes documents that were unused for an hour or idle for 90 days, and no others', async () => {
    const insert = async (id: string, review: string, expired: string, used: string | null) => {
      const [client] = await identity.sql<{ client_key: string }>(
        `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review, last_used_at)
         VALUES ($1, $2, 'x', 'operator', 'document', '{x}', '{x}', $3, now() - $4::interval) RETURNING client_key`,
        [id, stage.site_id, review, used],
      );
      await identity.sql(`INSERT INTO client_documents (client_key, expires_at) VALUES ($1, now() - $2::interval)`, [
        client?.client_key,
        expired,
      ]);
      return client?.client_key;
    };
    await insert('doc-unused', 'unreviewed', '61 minutes', null);
    await insert('doc-idle', 'unreviewed', '89 days', '91 days');
    await insert('doc-fresh', 'unreviewed', '59 minutes', null);
    await insert('doc-used', 'unreviewed', '88 days', '89 days');
    await insert('doc-approved', 'approved', '200 days', null);
    await insert('doc-blocked', 'blocked', '200 days', null);
    const approved = await insert('doc-allowed', 'unreviewed', '2 hours', null);
    await identity.sql(
      `INSERT INTO consents (person_id, client_key, site_id, resource, scopes, expires_at)
       VALUES ($1, $2, $3, 'x', '{openid}', now() + interval '1 day')`,
      [stage.person_id, approved, stage.site_id],
    );
    await housekeeping.sweep();
    const left = await identity.sql<{ client_id: string }>(
      `SELECT client_id FROM clients WHERE client_id LIKE 'doc-%' ORDER BY client_id`,
    );
    const names = ['doc-allowed', 'doc-approved', 'doc-blocked', 'doc-fresh', 'doc-used'];
    expect(left.map(({ client_id }) => client_id)).toEqual(names);
    const events = await identity.sql<{ client_id: string; version: number }>(
      `SELECT payload::jsonb #>> '{data,client_id}' AS client_id, (payload::jsonb ->> 'aggregate_version')::int AS version
         FROM outbox WHERE subject LIKE 'identity.client.deleted%' AND payload::jsonb #>> '{data,source}' = 'document'
        ORDER BY 1`,
    );
    expect(events).toEqual([
      { client_id: 'doc-idle', version: 2 },
      { client_id: 'doc-unused', version: 2 },
    ]);
  });
});
