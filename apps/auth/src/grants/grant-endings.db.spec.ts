import { DataSource } from 'typeorm';
import { ClientsService } from '#src/clients/clients.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { TokenGrantsRepository } from '#src/tokens/token-grants.repository.js';
import { TokensModule } from '#src/tokens/tokens.module.js';
import { TokensRepository } from '#src/tokens/tokens.repository.js';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { EndedGrantsModule } from './ended-grants.module.js';
import { EndedGrantsSweeper } from './ended-grants.sweeper.js';
import { BATCH } from './grant-endings.repository.js';
import { GrantsService } from './grants.service.js';

/** More than two batches. */
const MANY = 2 * BATCH + 200;

describe('Grants that end with their site or client', () => {
  let identity: TestIdentity;
  let tokens: TokensRepository;
  let stage: Awaited<ReturnType<typeof stageOne>>;
  let slugs = 0;

  beforeAll(async () => {
    identity = await startIdentity(TokensModule, EndedGrantsModule);
    tokens = identity.context.get(TokensRepository);
  });
  beforeEach(async () => {
    slugs += 1;
    stage = await stageOne(identity, `site-${slugs}`);
  });
  afterEach(() => sweep());
  afterAll(() => identity.stop());

  /** Grants with a code, an access token and a refresh token each. */
  async function issue(prefix: string, count: number): Promise<void> {
    const { site_id, person_id, client_key, base_url } = stage;
    const name = `${stage.site_id}-${prefix}-`;
    await identity.sql(
      `insert into grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
       select $1 || i, $2, $3, $4, 'client', 'member', '{}', now() + interval '1 day' from generate_series(1, $5::int) i`,
      [name, site_id, person_id, client_key, count],
    );
    await identity.sql(
      `insert into access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
       select sha256(($1 || i)::bytea), $1 || i, $2, $3, 'account:read', now(), now() + interval '1 hour'
         from generate_series(1, $4::int) i`,
      [name, site_id, base_url, count],
    );
    for (const [table, columns, values] of [
      ['refresh_tokens', 'token_hash, rotation', ', 0'],
      ['authorization_codes', 'code_hash', ''],
    ])
      await identity.sql(
        `insert into ${table} (grant_id, site_id, payload, expires_at, ${columns})
         select $1 || i, $2, '{"scope":"account:read"}', now() + interval '1 hour', sha256(($1 || i)::bytea)${values}
           from generate_series(1, $3::int) i`,
        [name, site_id, count],
      );
  }
  const token = (prefix: string, n: number): string => `${stage.site_id}-${prefix}-${n}`;

  /** The number of uses for which a token, which is also a code and a refresh token here, is valid. */
  async function uses(value: string): Promise<number> {
    const site = (await identity.context.get(SitesService).byId(stage.site_id))!;
    const repository = identity.context.get(TokenGrantsRepository);
    const key = { site, clientId: 'client', value };
    const found = await Promise.all([
      tokens.introspect(value),
      tokens.introspectRefresh(value),
      tokens.userInfo(site.site_id, value),
      repository.byCode(key).then((lookup) => lookup?.credential),
      repository.byRefreshToken(key).then((lookup) => lookup?.credential),
      identity.context.get(GrantsService).find(site.site_id, value),
    ]);
    return found.filter((one) => one !== undefined).length;
  }
  const suspend = () => identity.context.get(SitesService).setState(stage.site_id, 'suspended');
  const reinstate = () => identity.context.get(SitesService).setState(stage.site_id, 'active');
  const sweep = () => identity.context.get(EndedGrantsSweeper).run();
  const left = async (table = 'grants'): Promise<number> =>
    (await identity.sql(`select from ${table} where site_id = $1`, [stage.site_id])).length;
  const endings = async (): Promise<number> => (await identity.sql('select from grant_endings')).length;
  const audited = () =>
    identity.sql(
      `select details ->> 'reason' as reason, count(distinct details ->> 'grant_id')::int as grants, count(*)::int as entries
         from audit_log where event = 'grants.revoked' and site_id = $1 group by 1`,
      [stage.site_id],
    );

  /** The number of statements that the work sends. */
  async function statements(work: () => Promise<unknown>): Promise<number> {
    const { master: pool } = identity.context.get(DataSource).driver as unknown as {
      readonly master: { on: Listening; off: Listening };
    };
    type Listening = (event: 'acquire', listener: (connection: { query: () => unknown }) => void) => void;
    const spies = new Map<object, jest.SpyInstance>();
    const watch = (connection: { query: () => unknown }): void => {
      if (!spies.has(connection)) spies.set(connection, jest.spyOn(connection, 'query'));
    };
    pool.on('acquire', watch);
    await work();
    pool.off('acquire', watch);
    const sent = [...spies.values()].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const spy of spies.values()) spy.mockRestore();
    return sent;
  }

  it('ends all tokens of a site with its suspension, and deletes a batch of their grants', async () => {
    await issue('old', MANY);
    expect(await uses(token('old', MANY))).toBe(6);
    await suspend();
    expect(await left()).toBe(MANY - BATCH);
    await reinstate();
    const grants = await identity.sql<{ grant_id: string }>('select grant_id from grants where site_id = $1', [
      stage.site_id,
    ]);
    expect(await Promise.all(grants.slice(-20).map(({ grant_id }) => uses(grant_id)))).toEqual(Array(20).fill(0));
  });

  it('suspends a site with the same number of statements for any number of grants', async () => {
    await issue('few', 2);
    const few = await statements(suspend);
    await reinstate();
    await issue('many', MANY);
    expect(await statements(suspend)).toBe(few);
  });

  it('deletes the grants that are left with their tokens, and audits each once', async () => {
    await issue('old', MANY);
    await suspend();
    expect(await endings()).toBe(1);
    await sweep();
    expect([await left(), await left('access_tokens'), await left('refresh_tokens'), await endings()]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(await audited()).toEqual([{ reason: 'site_suspended', grants: MANY, entries: MANY }]);
  });

  it('records no ending for a site with fewer grants', async () => {
    await issue('old', BATCH);
    await suspend();
    expect([await left(), await endings()]).toEqual([0, 0]);
  });

  it('keeps the grants of a site that was reinstated meanwhile', async () => {
    await issue('old', MANY);
    await suspend();
    await reinstate();
    await issue('new', 3);
    expect(await uses(token('new', 3))).toBe(6);
    await sweep();
    expect([await left(), await endings(), await uses(token('new', 3))]).toEqual([3, 0, 6]);
  });

  it('ends the tokens of a client that loses a scope, and not those that it gets later', async () => {
    await issue('old', MANY);
    await identity.sql(`update clients set scopes = '{openid,account:read}' where client_key = $1`, [stage.client_key]);
    const definition = { client_id: 'client', name: 'Client', redirect_uris: ['http://127.0.0.1/'] };
    const scopes = ['account:read'];
    await identity.context.get(ClientsService).apply(stage.site_id, { ...definition, audience: 'member', scopes });
    expect(await left()).toBe(MANY - BATCH);
    await issue('new', 1);
    const [old] = await identity.sql<{ grant_id: string }>(
      `select grant_id from grants where site_id = $1 and grant_id like '%-old-%' limit 1`,
      [stage.site_id],
    );
    expect([await uses(old!.grant_id), await uses(token('new', 1))]).toEqual([0, 6]);
    await sweep();
    expect([await left(), await audited()]).toEqual([1, [{ reason: 'client_changed', grants: MANY, entries: MANY }]]);
  });

  it('ends the tokens of a deleted client', async () => {
    await issue('old', MANY);
    await identity.context.get(ClientsService).delete('client', stage.site_id);
    const [old] = await identity.sql<{ grant_id: string }>('select grant_id from grants where site_id = $1 limit 1', [
      stage.site_id,
    ]);
    expect(await tokens.introspect(old!.grant_id)).toBeUndefined();
    await sweep();
    expect([await left(), await endings()]).toEqual([0, 0]);
  });

  it('leaves a grant that is locked to a later turn, in which it is still ended', async () => {
    await issue('old', BATCH + 1);
    await suspend();
    await reinstate();
    const holder = identity.context.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    const [locked] = (await holder.query('select grant_id from grants where site_id = $1 for no key update', [
      stage.site_id,
    ])) as { grant_id: string }[];
    await sweep();
    expect([await left(), await endings(), await uses(locked!.grant_id)]).toEqual([1, 1, 0]);
    await holder.commitTransaction();
    await holder.release();
    await sweep();
    expect([await left(), await endings()]).toEqual([0, 0]);
  });
});
