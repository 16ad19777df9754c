import { DataSource } from 'typeorm';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { oldGrant } from '../../test/old-grant.js';
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
  const grant = (id: string, age: string): Promise<void> => oldGrant(identity, stage, { id, age });
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

  it('rotates the signing keys on schedule, also when the sweep fails, and rejects then', async () => {
    const keys = async () => (await identity.sql('SELECT 1 FROM signing_keys')).length;
    await identity.context.get(KeyRing).current();
    await housekeeping.run();
    expect(await keys()).toBe(1);
    await identity.sql(`UPDATE signing_keys SET signs_from = now() - interval '89 days'`);
    const broken = jest
      .spyOn(identity.context.get(HousekeepingRepository), 'sweep')
      .mockRejectedValue(new Error('away'));
    await expect(housekeeping.run()).rejects.toThrow(/^the sweep of .+ failed$/);
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

  it('continues with the other tables when one fails, and rejects with each error once', async () => {
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
    const failure: unknown = await housekeeping.run().catch((error: unknown) => error);
    jest.restoreAllMocks();
    const left = await identity.sql(
      `SELECT uid FROM sessions WHERE uid = 'c' UNION ALL SELECT client_id FROM clients WHERE name = 'y'`,
    );
    expect(left).toEqual([]);
    expect(failure).toMatchObject({
      message: 'the sweep of interactions, mails failed, the sweep of grants failed',
      errors: [{ cause: new Error('too slow') }, { cause: new Error('locked') }],
    });
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
    [
      'authorization_codes',
      'expires_at',
      '1 day',
      'code_hash, grant_id, site_id, payload, expires_at',
      `key, 'kept', site, '{}', at`,
    ],
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
