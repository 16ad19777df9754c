import { Sql } from '@lyceum/platform';
import { planOf, rowsRead, statementOf } from '@lyceum/testing';
import { startIdentity, stageOne } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { GrantsRepository } from './grants.repository.js';

let identity: TestIdentity;
let site_id: string;

/** Grants of as many people, with an access token each. */
beforeAll(async () => {
  identity = await startIdentity();
  const stage = await stageOne(identity);
  ({ site_id } = stage);
  await identity.sql(
    `with made as (
       insert into people (email, name) select 'p' || n || '@school.example', 'P' from generate_series(1, 300) n
       returning person_id),
     granted as (
       insert into grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at, tools_used_at)
       select person_id::text, $1, person_id, $2, 'client', 'member',
              jsonb_build_object('resources', jsonb_build_object($3::text, 'account:read')), now() + interval '1 day', now()
       from made returning grant_id)
     insert into access_tokens (token_hash, grant_id, site_id, resource, scope, issued_at, expires_at)
     select sha256(grant_id::bytea), grant_id, $1, $3, 'account:read', now(), now() + interval '1 hour' from granted`,
    [site_id, stage.client_key, stage.base_url],
  );
  await identity.sql('analyze grants, access_tokens');
});
afterAll(() => identity.stop());

const connections = (most: number) => new GrantsRepository(identity.context.get(Sql)).connections(site_id, most);

it('counts connections up to a number, and says that there are more', async () => {
  expect(await connections(300)).toEqual({ count: 300, more: false });
  expect(await connections(299)).toEqual({ count: 299, more: true });
  expect(await connections(10)).toEqual({ count: 10, more: true });
});

it('reads no more grants than it counts', async () => {
  const statement = await statementOf((sql: Sql) => new GrantsRepository(sql).connections(site_id, 10));
  const nodes = await planOf((...asked) => identity.sql(...asked), statement);
  const read = nodes.filter((node) => node['Relation Name'] === 'grants').map(rowsRead);
  expect(Math.max(...read)).toBeLessThanOrEqual(11);
});
