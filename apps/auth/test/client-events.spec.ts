import { ModuleRef } from '@nestjs/core';
import { clientEvents } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { renewSecret } from './admin-flow.js';
import { CALLBACK, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

interface PublishedEvent {
  readonly type: string;
  readonly aggregate_version: number;
  readonly data: Record<string, unknown>;
}

/** With NATS down, published events stay in the outbox. */
async function eventsOf(clientId: string): Promise<PublishedEvent[]> {
  const found = await auth.sql<{ body: PublishedEvent }>(
    `SELECT payload::jsonb AS body FROM outbox
      WHERE subject LIKE 'identity.client.%' AND payload::jsonb #>> '{data,client_id}' = $1 ORDER BY id`,
    [clientId],
  );
  return found.map(({ body }) => body);
}
async function register(): Promise<string> {
  const { body } = await new Flow(auth).send('/api/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Tool', redirect_uris: [CALLBACK] }),
  });
  return String(body['client_id']);
}
async function use(client_id: string): Promise<void> {
  const flow = new Flow(auth);
  const callback = await flow.callback({ client_id, redirect_uri: CALLBACK, scope: 'courses:read' }, 'owner');
  expect((await flow.exchange(callback.get('code'), { client_id, redirect_uri: CALLBACK })).status).toBe(200);
}
/** A replica that has not recorded the use of the client before. */
async function useAtAnotherReplica(client_id: string): Promise<void> {
  const replica = await auth.app.select(ClientsModule).get(ModuleRef, { strict: true }).create(ClientsService);
  const state = () =>
    auth.sql<{ client_key: string; recent: boolean }>(
      `SELECT client_key, last_used_at > now() - interval '1 minute' AS recent FROM clients WHERE client_id = $1`,
      [client_id],
    );
  const [before] = await state();
  expect(before?.recent).toBe(false);
  replica.touch(before?.client_key ?? '');
  await eventually(state, ([after]) => after?.recent === true);
}
const age = (client_id: string, by: string) =>
  auth.sql(
    `UPDATE clients SET created_at = created_at - $2::interval, last_used_at = last_used_at - $2::interval
      WHERE client_id = $1`,
    [client_id, by],
  );
const site = async () => {
  const found = await auth.app.get(SitesService).byId(auth.site.site_id);
  if (found === undefined) throw new Error('The stage has it');
  return found;
};

describe('The events of OAuth clients', () => {
  it('publishes creation, changes and deletion of a client with growing versions and no secret', async () => {
    const administration = auth.app.get(Administration);
    const definition = {
      name: 'Mine',
      audience: 'member',
      redirect_uris: [CALLBACK],
      scopes: ['account:read'],
    } as const;
    const made = await administration.createClient(await site(), { ...definition, confidential: true });
    const client_secret = await renewSecret(auth, made.client_id);
    await administration.deleteClient(await site(), made.client_id);
    const events = await eventsOf(made.client_id);
    expect(events.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['identity.client.created.v1', 1],
      ['identity.client.updated.v1', 2],
      ['identity.client.deleted.v1', 3],
    ]);
    for (const { data } of events) {
      expect(clientEvents.data.parse(data)).toMatchObject({
        site_id: auth.site.site_id,
        confidential: true,
        ...definition,
      });
    }
    const text = JSON.stringify(events);
    for (const secret of [made.client_secret ?? '', client_secret ?? '']) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/secret|hash/);
  });

  it('publishes no client event for a definition without changes', async () => {
    const [client] = auth.site.clients;
    await auth.app.get(ClientsService).apply(auth.site.site_id, { ...client!, client_id: client!.client_id });
    expect(await eventsOf(client!.client_id)).toHaveLength(1);
  });

  it('publishes neither a registration nor its deletion while the client was not used', async () => {
    const client_id = await register();
    await auth.sql(`UPDATE clients SET created_at = now() - interval '2 hours' WHERE client_id = $1`, [client_id]);
    expect(await auth.app.get(ClientsService).sweepIdle(10)).toBe(1);
    expect(await eventsOf(client_id)).toEqual([]);
  });

  it('publishes a registered client once, at its first use, and its deletion by the sweep of idle ones', async () => {
    const client_id = await register();
    await use(client_id);
    const [created] = await eventually(
      () => eventsOf(client_id),
      (events) => events.length > 0,
    );
    expect(created).toMatchObject({ aggregate_version: 1, data: { client_id, source: 'loopback', state: 'active' } });
    await age(client_id, '2 hours');
    await useAtAnotherReplica(client_id);
    await auth.sql('DELETE FROM grants WHERE client_id = $1', [client_id]);
    await age(client_id, '91 days');
    expect(await auth.app.get(ClientsService).sweepIdle(10)).toBe(1);
    expect((await eventsOf(client_id)).map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['identity.client.created.v1', 1],
      ['identity.client.deleted.v1', 2],
    ]);
  });
});
