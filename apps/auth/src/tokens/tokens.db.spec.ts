import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { sha256 } from '#src/secrets/digest.js';
import { TokensModule } from './tokens.module.js';
import { INTROSPECT, TokensRepository } from './tokens.repository.js';

describe('The introspection statement', () => {
  let identity: TestIdentity;
  let tokens: TokensRepository;
  let stage: Awaited<ReturnType<typeof stageOne>>;

  beforeAll(async () => {
    identity = await startIdentity(TokensModule);
    tokens = identity.context.get(TokensRepository);
    stage = await stageOne(identity);
    const { site_id, person_id, client_key } = stage;
    await identity.sql(
      `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
       SELECT 'g' || i, $1, $2, $3, 'client', 'member', '{}', now() + interval '1 day' FROM generate_series(1, 5000) i`,
      [site_id, person_id, client_key],
    );
    await identity.sql(
      `INSERT INTO access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
       SELECT sha256(('token' || i)::bytea), 'g' || (1 + i % 5000), $1, $2, 'account:read', now(),
              now() + CASE WHEN i = 7 THEN interval '0' ELSE interval '1 hour' END
         FROM generate_series(1, 20000) i`,
      [site_id, stage.base_url],
    );
    await identity.sql('ANALYZE grants, access_tokens, sites');
  });
  afterAll(() => identity.stop());

  it('finds a token by its digest', async () => {
    expect(await tokens.introspect('token1')).toMatchObject({
      sub: stage.member_id,
      person_id: stage.person_id,
      grant_id: 'g2',
      site_id: stage.site_id,
      aud: stage.base_url,
      iss: stage.base_url,
      audience: 'member',
    });
  });

  it('finds each of several tokens in one statement', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `token${index}`);
    const found = await Promise.all(names.map((name) => tokens.introspect(name)));
    const expected = names.map((_, index) => (index === 0 || index === 7 ? undefined : `g${1 + index}`));
    expect(found.map((facts) => facts?.grant_id)).toEqual(expected);
  });

  it('finds neither unknown nor expired tokens', async () => {
    expect(await tokens.introspect('token0')).toBeUndefined();
    expect(await tokens.introspect('token7')).toBeUndefined();
  });

  it('reads one row of each large table by its key', async () => {
    const plan = await identity.sql<{ 'QUERY PLAN': string }>(`EXPLAIN ${INTROSPECT.text}`, [[sha256('token1')]]);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('access_tokens_pkey');
    expect(text).toContain('grants_pkey');
    expect(text).not.toMatch(/Seq Scan on (access_tokens|grants)/);
  });

  it('keeps its plan for a connection', async () => {
    for (let n = 0; n < 12; n += 1) await tokens.introspect('token1');
    const plans = `SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE name = 'introspect'`;
    expect(await identity.sql(plans)).toEqual([{ kept: true }]);
  });

  it('finds no token while the site is suspended', async () => {
    await identity.sql(`UPDATE sites SET state = 'suspended' WHERE site_id = $1`, [stage.site_id]);
    expect(await tokens.introspect('token1')).toBeUndefined();
  });
});
