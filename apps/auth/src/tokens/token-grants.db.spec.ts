import { Sql } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { AuthSettings } from '#src/auth.environment.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { randomToken, sha256 } from '#src/secrets/digest.js';
import { TokensModule } from './tokens.module.js';
import { NewTokens } from './new-tokens.js';
import { MAX_REPEATS } from '#src/protocol/lifetimes.js';
import { TokenGrantsRepository } from './token-grants.repository.js';
import type { Issuance, CredentialKey } from './token-grants.repository.js';

type Owner = Omit<CredentialKey, 'value'>;

const TWELVE = Array.from({ length: 12 });

describe('Redeeming codes and refresh tokens', () => {
  let identity: TestIdentity;
  let repository: TokenGrantsRepository;
  let withoutWindow: TokenGrantsRepository;
  let grants: GrantsService;
  let stage: Awaited<ReturnType<typeof stageOne>>;
  let site: SiteRecord;

  beforeAll(async () => {
    identity = await startIdentity(TokensModule);
    repository = identity.context.get(TokenGrantsRepository);
    withoutWindow = new TokenGrantsRepository(
      identity.context.get(Sql),
      new AuthSettings({ ...identity.config, REFRESH_REPEAT_SECONDS: 0 }),
    );
    grants = identity.context.get(GrantsService);
    stage = await stageOne(identity);
    await identity.sql(
      `INSERT INTO consents (person_id, client_key, site_id, resource, scopes, expires_at)
       VALUES ($1, $2, $3, $4, '{}', 'infinity')`,
      [stage.person_id, stage.client_key, stage.site_id, stage.base_url],
    );
    site = (await identity.context.get(SitesService).byId(stage.site_id))!;
  });
  afterAll(() => identity.stop());

  /** The parameters of a redemption. */
  async function giving(table: 'authorization_codes' | 'refresh_tokens'): Promise<Issuance> {
    const [value, grant_id] = [randomToken(), randomToken()];
    const { site_id, person_id } = stage;
    const expires_at = Math.floor(Date.now() / 1000) + 600;
    await grants.save({
      grant_id,
      site_id,
      person_id,
      client_id: 'client',
      sign_outs: 0,
      scopes: [],
      payload: {},
      expires_at,
    });
    const [columns, values] = table === 'refresh_tokens' ? ['token_hash, rotation', '$1, 0'] : ['code_hash', '$1'];
    await identity.sql(
      `INSERT INTO ${table} (${columns}, grant_id, site_id, payload, expires_at)
       VALUES (${values}, $2, $3, '{"scope":"account:read"}', to_timestamp($4))`,
      [sha256(value), grant_id, site_id, expires_at],
    );
    return { site, value, grant_id, tokens: newTokens() };
  }
  const newTokens = () => new NewTokens({ scope: 'account:read', refreshScope: 'account:read' });
  const again = (first: Issuance): Issuance => ({ ...first, tokens: newTokens() });
  /** Rows of a grant, by table. */
  async function written(grantId: string): Promise<Record<string, number>> {
    const [row] = await identity.sql<Record<string, number>>(
      `SELECT (SELECT count(*) FROM access_tokens WHERE grant_id = $1)::int AS access,
              (SELECT count(*) FROM refresh_tokens WHERE grant_id = $1)::int AS refresh,
              (SELECT count(*) FROM audit_log WHERE details ->> 'grant_id' = $1 AND event LIKE 'token.%')::int AS audit`,
      [grantId],
    );
    return row ?? {};
  }
  it('lets one of twelve concurrent uses of a code win, and writes nothing for the others', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await giving('authorization_codes');
      const won = await Promise.all(TWELVE.map(() => repository.exchange(again(first))));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await written(first.grant_id)).toEqual({ access: 1, refresh: 1, audit: 1 });
    }
  });

  it('lets one of twelve concurrent uses of a refresh token win without a reuse window', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await giving('refresh_tokens');
      const outcomes = await Promise.all(TWELVE.map(() => withoutWindow.refresh(again(first))));
      expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(11);
      expect(await written(first.grant_id)).toEqual({ access: 1, refresh: 2, audit: 0 });
    }
  });

  it('repeats the response to a refresh that started before the winner committed', async () => {
    const first = await giving('refresh_tokens');
    const holder = identity.context.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM grants WHERE grant_id = $1 FOR UPDATE', [first.grant_id]);
    const outcomes = Promise.all([repository.refresh(first), repository.refresh(again(first))]);
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
                      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    await eventually(async () => (await identity.sql<{ n: number }>(waiting))[0]?.n === 2);
    await holder.commitTransaction();
    await holder.release();
    expect((await outcomes).sort()).toEqual(['redeemed', 'repeated']);
    expect(await written(first.grant_id)).toEqual({ access: 2, refresh: 3, audit: 1 });
  });

  it('gives tokens to one winner and three repeats within the window, and audits the repeats', async () => {
    const first = await giving('refresh_tokens');
    const outcomes = await Promise.all(TWELVE.map(() => repository.refresh(again(first))));
    expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(MAX_REPEATS);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(11 - MAX_REPEATS);
    expect(await written(first.grant_id)).toEqual({ access: 4, refresh: 5, audit: 3 });
  });

  it('repeats a token whose use the previous release recorded, up to the limit', async () => {
    const first = await giving('refresh_tokens');
    await identity.sql('UPDATE refresh_tokens SET consumed_at = now(), repeats = 1 WHERE grant_id = $1', [
      first.grant_id,
    ]);
    await identity.sql('UPDATE grants SET used_rotation = 0 WHERE grant_id = $1', [first.grant_id]);
    const outcomes: string[] = [];
    for (let repeat = 1; repeat <= MAX_REPEATS; repeat += 1) outcomes.push(await repository.refresh(again(first)));
    expect(outcomes).toEqual(['repeated', 'repeated', 'refused']);
  });

  it.each(['authorization_codes', 'refresh_tokens'] as const)(
    'writes nothing and avoids deadlocks when the grant of %s is revoked at the same time',
    async (table) => {
      for (let round = 0; round < 20; round += 1) {
        const first = await giving(table);
        const give = (): Promise<unknown> =>
          table === 'refresh_tokens' ? repository.refresh(again(first)) : repository.exchange(again(first));
        await Promise.all([
          give(),
          give(),
          grants.revoke(stage.site_id, first.grant_id, 'revoked_by_client'),
          give(),
          give(),
        ]);
        expect(await written(first.grant_id)).toMatchObject({ access: 0, refresh: 0 });
        expect([false, 'refused']).toContain(await give());
      }
    },
  );

  it('rolls back the redemption when the tokens cannot be issued', async () => {
    const first = await giving('refresh_tokens');
    const taken = again(first);
    await repository.exchange({ ...(await giving('authorization_codes')), tokens: taken.tokens });
    // The new tokens exist already, so the statement fails in the middle.
    await expect(repository.refresh(taken)).rejects.toThrow('duplicate key');
    expect(await written(first.grant_id)).toEqual({ access: 0, refresh: 1, audit: 0 });
    expect(await repository.refresh(again(first))).toBe('redeemed');
  });

  describe.each(['authorization_codes', 'refresh_tokens'] as const)('A turn with several %s', (table) => {
    const redeem = async (issuance: Issuance): Promise<unknown> =>
      table === 'refresh_tokens' ? repository.refresh(issuance) : repository.exchange(issuance);
    const done = table === 'refresh_tokens' ? 'redeemed' : true;
    const some = (count: number) => Promise.all(Array.from({ length: count }, () => giving(table)));

    it('uses one transaction', async () => {
      const issuances = await some(8);
      expect(await Promise.all(issuances.map(redeem))).toEqual(Array.from({ length: 8 }, () => done));
      const transactions = await identity.sql<{ written: number }>(
        'SELECT count(*)::int AS written FROM access_tokens WHERE grant_id = ANY ($1) GROUP BY xmin::text',
        [issuances.map(({ grant_id }) => grant_id)],
      );
      expect(transactions).toEqual([{ written: 8 }]);
    });

    it('waits for no locked grant', async () => {
      const [locked, ...others] = (await some(3)) as [Issuance, ...Issuance[]];
      const holder = identity.context.get(DataSource).createQueryRunner();
      await holder.startTransaction();
      await holder.query('SELECT 1 FROM grants WHERE grant_id = $1 FOR UPDATE', [locked.grant_id]);
      const waiting = redeem(locked);
      expect(await Promise.all(others.map(redeem))).toEqual([done, done]);
      expect(await written(locked.grant_id)).toMatchObject({ access: 0 });
      await holder.commitTransaction();
      await holder.release();
      expect(await waiting).toBe(done);
    });

    it('redeems the others when one is rejected', async () => {
      const [first, taken, ...others] = (await some(4)) as [Issuance, Issuance, ...Issuance[]];
      await redeem(first);
      const results = await Promise.allSettled([{ ...taken, tokens: first.tokens }, ...others].map(redeem));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      expect(await written(taken.grant_id)).toMatchObject({ access: 0 });
    });
  });

  it('keeps its plans for a connection', async () => {
    const [codes, tokens] = [await giving('authorization_codes'), await giving('refresh_tokens')];
    for (let n = 0; n < 12; n += 1) {
      await repository.byCode({ site, clientId: 'client', value: codes.value });
      await repository.byRefreshToken({ site, clientId: 'client', value: tokens.value });
      await repository.exchange(await giving('authorization_codes'));
      await repository.refresh(await giving('refresh_tokens'));
    }
    const plans = await identity.sql(
      `SELECT name FROM pg_prepared_statements
        WHERE generic_plans > 0 AND name LIKE 'token_%' AND name NOT LIKE '%_alone' ORDER BY name`,
    );
    const names = ['token_by_code', 'token_by_refresh_token', 'token_exchange_together', 'token_refresh_together'];
    expect(plans).toEqual(names.map((name) => ({ name })));
  });

  it('finds no credential for another site or another client', async () => {
    const two = await stageOne(identity, 'two');
    const other = (await identity.context.get(SitesService).byId(two.site_id))!;
    const [code, token] = [await giving('authorization_codes'), await giving('refresh_tokens')];
    await identity.sql(
      `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
       VALUES ('another', $1, 'Another', 'member', 'site', '{http://127.0.0.1/}', '{account:read}')`,
      [site.site_id],
    );
    expect(await repository.exchange({ ...code, site: other })).toBe(false);
    expect(await repository.refresh({ ...token, site: other })).toBe('refused');
    const owners: Owner[] = [
      { site: other, clientId: 'client' },
      { site, clientId: 'unknown' },
      { site, clientId: 'client' },
      { site, clientId: 'another' },
    ];
    // One batch loads them together: each result equals that of a single query.
    for (const [{ grant_id }, find] of [
      [code, (owner: Owner): Promise<unknown> => repository.byCode({ ...owner, value: code.value })],
      [token, (owner: Owner): Promise<unknown> => repository.byRefreshToken({ ...owner, value: token.value })],
    ] as const) {
      const nothing = { credential: undefined };
      const responses = [nothing, undefined, { credential: { grant_id, used: false } }, nothing];
      for (const [index, owner] of owners.entries()) expect([await find(owner)]).toMatchObject([responses[index]]);
      expect(await Promise.all(owners.map(find))).toMatchObject(responses);
    }
  });

  it('revokes a grant once, with one broadcast, on concurrent requests', async () => {
    const { grant_id } = await giving('refresh_tokens');
    await Promise.all(TWELVE.map(() => grants.revoke(stage.site_id, grant_id, 'revoked_by_client')));
    expect(await identity.sql(`SELECT 1 FROM outbox WHERE payload::jsonb->>'subject' = $1`, [grant_id])).toHaveLength(
      1,
    );
  });
});
