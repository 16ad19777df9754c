import * as contracts from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import type { AggregateSnapshot } from '@lyceum/messaging';
import { DataSource } from 'typeorm';
import { republications } from '#src/commands/republish.command.js';
import { stageOne, startIdentity } from './identity.js';
import type { TestIdentity } from './identity.js';

const NIL = '00000000-0000-0000-0000-000000000000';

let identity: TestIdentity;
let first: Awaited<ReturnType<typeof stageOne>>;
let second: Awaited<ReturnType<typeof stageOne>>;

beforeAll(async () => {
  identity = await startIdentity();
  [first, second] = [await stageOne(identity), await stageOne(identity, 'two')];
  await identity.sql('UPDATE site_members SET version = 3');
});
afterAll(() => identity.stop());

/** All published rows of an entity, one row per batch. */
async function everything(entity: string): Promise<AggregateSnapshot[]> {
  const one = republications(identity.context).find(({ events }) => events.entity === entity);
  if (one === undefined) throw new Error(`${entity} is not owned`);
  const found: AggregateSnapshot[] = [];
  const next = (after: readonly string[]): Promise<readonly AggregateSnapshot[]> =>
    identity.context.get(DataSource).transaction(async (manager) => one.batch(manager, after, 1));
  for (let batch = await next([NIL, NIL]); batch.length > 0; batch = await next(found.at(-1)?.key ?? [])) {
    found.push(...batch);
  }
  for (const { event } of found) one.events.data.parse(event.data);
  return found;
}

const eventsOf = async (entity: string) =>
  (await everything(entity)).map(({ event: { aggregate_id, aggregate_version, site_id, data } }) => ({
    aggregate_id,
    aggregate_version,
    site_id,
    data,
  }));

describe('The republish command', () => {
  it('publishes every entity of this context', () => {
    const all: unknown[] = Object.values(contracts);
    const entities = all.filter(
      (one): one is EntityEvents => typeof one === 'object' && one !== null && 'entity' in one && 'names' in one,
    );
    const owned = entities.filter(({ context }) => context === 'identity');
    expect(owned.length).toBeGreaterThan(3);
    expect(new Set(republications(identity.context).map(({ events }) => events))).toEqual(new Set(owned));
  });

  it('publishes every row with its version, in the order of keys', async () => {
    expect(await eventsOf('site')).toMatchObject(
      [first, second].map(({ site_id, base_url }) => ({ aggregate_id: site_id, site_id, data: { base_url } })),
    );
    expect(await eventsOf('person')).toMatchObject(
      [first.person_id, second.person_id]
        .sort()
        .map((person_id) => ({ aggregate_id: person_id, site_id: null, data: { state: 'active' } })),
    );
    expect(await eventsOf('role')).toMatchObject(
      [first, second].map(({ site_id, person_id }) => ({
        aggregate_id: `${site_id}:${person_id}`,
        aggregate_version: 3,
        data: { roles: ['student'], name: 'Person' },
      })),
    );
    expect(await eventsOf('client')).toMatchObject(
      [first, second].map(({ client_key, site_id }) => ({
        aggregate_id: client_key,
        site_id,
        data: { state: 'active' },
      })),
    );
  });

  it('publishes suspended, removed and deleted states, and skips roles that were never published', async () => {
    await identity.sql(`UPDATE sites SET state = 'suspended', version = 2 WHERE site_id = $1`, [second.site_id]);
    await identity.sql(`UPDATE people SET state = 'deleted', version = 2 WHERE person_id = $1`, [second.person_id]);
    await identity.sql(`UPDATE site_members SET roles = '{}', state = 'removed', version = 4 WHERE person_id = $1`, [
      second.person_id,
    ]);
    await identity.sql(`UPDATE clients SET deleted_at = now(), version = 2 WHERE client_key = $1`, [second.client_key]);
    await identity.sql(
      `INSERT INTO site_members (site_id, person_id, roles, state, version) VALUES ($1, $2, '{}', 'removed', 0)`,
      [first.site_id, second.person_id],
    );
    expect((await eventsOf('site'))[1]).toMatchObject({ aggregate_version: 2, data: { state: 'suspended' } });
    const person = (await eventsOf('person')).find(({ aggregate_id }) => aggregate_id === second.person_id);
    expect(person).toMatchObject({ aggregate_version: 2, data: { state: 'deleted' } });
    expect((await eventsOf('client'))[1]).toMatchObject({ aggregate_version: 2, data: { state: 'deleted' } });
    expect((await eventsOf('role')).slice(1)).toMatchObject([{ aggregate_version: 4, data: { roles: [] } }]);
  });

  it('skips registered clients that were never used', async () => {
    const before = await eventsOf('client');
    const insert = async (id: string, used: string | null): Promise<string> => {
      const [row] = await identity.sql<{ client_key: string }>(
        `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, last_used_at)
         VALUES ($1, $2, 'Tool', 'operator', 'loopback', '{x}', '{x}', $3) RETURNING client_key`,
        [id, first.site_id, used],
      );
      return row?.client_key ?? '';
    };
    const [, used] = [await insert('unused', null), await insert('used', new Date().toISOString())];
    const added = (await eventsOf('client')).slice(before.length);
    expect(added.map(({ aggregate_id }) => aggregate_id)).toEqual([used]);
  });

  it('publishes no secret', async () => {
    await identity.sql(`UPDATE clients SET secret_hash = decode(repeat('5e', 32), 'hex')`);
    const [client] = await eventsOf('client');
    expect(client?.data).toMatchObject({ confidential: true });
    expect(JSON.stringify(await eventsOf('client'))).not.toMatch(/secret|hash|5e5e/);
  });
});
