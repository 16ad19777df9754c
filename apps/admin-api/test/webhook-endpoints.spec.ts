import { randomUUID } from 'node:crypto';
import type { Membership } from '@lyceum/contracts';
import { MembershipService } from '#src/members/membership.service.js';
import { ClientConsumer } from '#src/webhook-endpoints/client.consumer.js';
import { DELIVERIES, ENDPOINTS, WebhookSchool } from './webhook-school.js';

const school = WebhookSchool.ofFile();

const URL = 'https://receiver.example.com/hook';

it('shows the secret once, and stores it encrypted', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { url: URL, event_types: ['order.paid'] };
  const first = await school.api.send<{ id: string; secret: string }>('POST', ENDPOINTS, { body, headers });
  const { id, secret } = first.body;
  expect(secret).toMatch(/^whsec_/);
  const replayed = await school.api.send('POST', ENDPOINTS, { body, headers });
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(replayed.body).toEqual({ ...first.body, secret: null });
  const dry = await school.api.send('POST', `${ENDPOINTS}?dry_run=true`, { body });
  expect(dry.body).toMatchObject({ id: null, secret: null });
  expect(await school.read(id)).toMatchObject({ secret: null, state: 'enabled', reason: null });
  const rotated = await school.api.send<{ secret: string }>('POST', `${ENDPOINTS}/${id}/rotate_secret`, { headers });
  expect(rotated.body.secret).toMatch(/^whsec_/);
  expect(rotated.body.secret).not.toBe(secret);
  const stored = await school.query(
    `select (select string_agg(answer::text, ' ') from idempotency_keys) ||
       (select string_agg(encode(sealed_secret || coalesce(previous_sealed_secret, ''), 'escape'), ' ')
        from webhook_endpoints) as text`,
  );
  expect(JSON.stringify(stored)).not.toMatch(/whsec_/);
});

it('upserts an endpoint by its external id, with a secret at the creation only', async () => {
  const path = `${ENDPOINTS}/by_external_id/crm`;
  const made = await school.api.send<{ secret: string }>('PUT', path, {
    body: { url: URL, event_types: ['order.paid'] },
  });
  expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const changed = await school.api.send('PUT', path, { body: { url: `${URL}/2`, event_types: ['order.paid'] } });
  expect(changed.body).toMatchObject({ url: `${URL}/2`, secret: null });
});

describe('event types', () => {
  const narrow = () => school.api.token('school:read school:write courses:read');

  it('requires the read scopes of the types at a creation, and at a change of types or URL', async () => {
    const token = await narrow();
    const refused = await school.api.send('POST', ENDPOINTS, {
      token,
      body: { url: URL, event_types: ['order.paid'] },
    });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    const { id } = (
      await school.api.send<{ id: string }>('POST', ENDPOINTS, {
        token,
        body: { url: URL, event_types: ['course.created'] },
      })
    ).body;
    const patch = (body: object, given: string | undefined) =>
      school.api.send('PATCH', `${ENDPOINTS}/${id}`, { ...(given && { token: given }), body });
    expect((await patch({ event_types: ['order.paid'] }, token)).body).toMatchObject({ code: 'insufficient_scope' });
    expect((await patch({ event_types: ['order.paid'] }, undefined)).status).toBe(200);
    expect((await patch({ url: `${URL}/mine` }, token)).body).toMatchObject({ code: 'insufficient_scope' });
    expect((await patch({ description: 'Mine' }, token)).status).toBe(200);
    const claim = await school.api.send('POST', `${ENDPOINTS}/${id}/claim`, { token });
    expect(claim.body).toMatchObject({ code: 'insufficient_scope' });
  });

  describe('of an endpoint with deliveries that wait', () => {
    const MOVED = { event_types: ['course.created'], url: `${URL}/moved` };
    const refusal = { code: 'insufficient_scope', detail: expect.stringContaining('orders:read') };

    /** An endpoint with an external id, for which an `order.paid` waits, and a change of it by a token. */
    async function waiting(scopes = 'courses:read') {
      const external_id = randomUUID();
      const { id } = await school.endpoint(URL, { external_id, event_types: ['order.paid', 'course.created'] });
      await school.act(id, 'disable');
      await school.query(
        `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, object_id, occurred_at, data)
         values ($1, $2, uuidv7(), 'order.paid', uuidv7()::text, now(), '{}')`,
        [school.api.sites[0].site_id, id],
      );
      const token = await school.api.token(`school:read school:write ${scopes}`);
      const send = async (method: string, path: string, body?: object) =>
        (await school.api.send(method, `${ENDPOINTS}/${path}`, { token, ...(body && { body }) })).body;
      return { id, external_id, send, patch: (body: object) => send('PATCH', id, body) };
    }

    it('refuses another URL with fewer types to a token without the scope of the removed one', async () => {
      const { id, external_id, send, patch } = await waiting();
      expect(await patch(MOVED)).toMatchObject(refusal);
      expect(await send('PUT', `by_external_id/${external_id}`, MOVED)).toMatchObject(refusal);
      expect(await school.read(id)).toMatchObject({ url: URL, event_types: ['order.paid', 'course.created'] });
    });

    it.each(['disabled', 'enabled'])('refuses it also in two requests: %s', async (state) => {
      const { id, send, patch } = await waiting();
      const { event_types, url } = MOVED;
      expect(await patch({ event_types })).toMatchObject({ event_types });
      // The delivery is not due yet, so that it still waits.
      await school.query(`update webhook_deliveries set due_at = now() + interval '1 day' where endpoint_id = $1`, [
        id,
      ]);
      if (state === 'enabled') await send('POST', `${id}/enable`);
      expect(await patch({ url })).toMatchObject(refusal);
      expect(await school.read(id)).toMatchObject({ url: URL, event_types, state });
      await school.query(`update webhook_deliveries set state = 'failed', due_at = null where endpoint_id = $1`, [id]);
      expect(await patch({ url })).toMatchObject({ url });
    });

    it('refuses a claim by a token that may not read what waits', async () => {
      const { id, send, patch } = await waiting();
      await patch({ event_types: MOVED.event_types });
      await school.query(`update webhook_endpoints set state = 'paused', reason = 'client_deleted' where id = $1`, [
        id,
      ]);
      expect(await send('POST', `${id}/claim`)).toMatchObject(refusal);
      expect(await school.read(id)).toMatchObject({ state: 'paused' });
    });

    it('moves to another URL for a token with all scopes', async () => {
      const { patch } = await waiting('courses:read orders:read');
      expect(await patch(MOVED)).toMatchObject(MOVED);
    });
  });

  it('refuses an unknown event type', async () => {
    const { body } = await school.api.send('POST', ENDPOINTS, { body: { url: URL, event_types: ['order.made'] } });
    expect(body).toMatchObject({ code: 'validation_failed' });
  });
});

it('keeps the entity tag of an endpoint that a test is sent to', async () => {
  const { id } = await school.endpoint((await school.receiver()).url);
  const path = `${ENDPOINTS}/${id}`;
  const { headers, body } = await school.api.send('GET', path);
  expect((await school.api.send('POST', DELIVERIES, { body: { endpoint_id: id } })).status).toBe(201);
  const after = await school.api.send('GET', path);
  expect([after.headers['etag'], after.body]).toEqual([headers['etag'], body]);
  const given = { headers: { 'if-match': headers['etag'] ?? '' }, body: { description: 'Mine' } };
  expect((await school.api.send('PATCH', path, given)).status).toBe(200);
  expect((await school.api.send('PATCH', path, given)).status).toBe(412);
});

it('refuses another endpoint at the limit of a site', async () => {
  const [, site] = school.api.sites;
  for (let made = 0; made < 20; made += 1) await school.endpoint(URL, {}, site);
  const body = { url: URL, event_types: ['order.paid'] };
  const refused = await school.api.send('POST', ENDPOINTS, { site, body });
  expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  const upsert = await school.api.send('PUT', `${ENDPOINTS}/by_external_id/more`, { site, body });
  expect([upsert.status, upsert.body['code']]).toEqual([409, 'invalid_state']);
});

describe('an endpoint whose creator or client is gone', () => {
  const follow = (membership: Membership): Promise<void> =>
    school.transaction((tx) => school.api.service.app.get(MembershipService, { strict: false }).follow(tx, membership));
  const site_id = (): string => school.api.sites[0].site_id;

  function membership(member_id: string, version: number, more: Partial<Membership>): Membership {
    return {
      member_id,
      site_id: site_id(),
      person_id: randomUUID(),
      email: `${member_id}@example.com`,
      name: 'Mei Lin',
      picture: null,
      locale: null,
      phone: null,
      timezone: null,
      state: 'active',
      roles: ['admin'],
      joined_at: '2026-01-01T00:00:00.000Z',
      student_id: null,
      joined: true,
      epoch: 1,
      version,
      ...more,
    };
  }

  async function ofMember(member_id: string): Promise<string> {
    const { id } = await school.endpoint(URL);
    await school.query('update webhook_endpoints set created_by = $2 where id = $1', [id, member_id]);
    return id;
  }

  it.each([
    ['the role', { roles: ['lecturer'] }],
    ['the state', { state: 'suspended' }],
    ['the membership', { state: 'removed', roles: [] }],
  ] as [string, Partial<Membership>][])('pauses an endpoint when its creator loses %s', async (_name, lost) => {
    const member_id = randomUUID();
    await follow(membership(member_id, 1, {}));
    const id = await ofMember(member_id);
    await follow(membership(member_id, 2, { name: 'Mei Chen' }));
    expect(await school.read(id)).toMatchObject({ state: 'enabled' });
    await follow(membership(member_id, 3, lost));
    expect(await school.read(id)).toMatchObject({ state: 'paused', reason: 'creator_lost_access' });
    expect((await school.act(id, 'enable')).body).toMatchObject({ code: 'invalid_state' });
    expect((await school.act(id, 'disable')).body).toMatchObject({ code: 'invalid_state' });

    const claimed = await school.act(id, 'claim');
    expect(claimed.body).toMatchObject({ state: 'enabled', reason: null });
    expect(claimed.body['created_by']).not.toBe(member_id);
  });

  it('leaves a disabled endpoint disabled at the loss and at the claim, and enables it only after both', async () => {
    const member_id = randomUUID();
    await follow(membership(member_id, 1, {}));
    const id = await ofMember(member_id);
    await school.act(id, 'disable');
    await follow(membership(member_id, 2, { roles: ['lecturer'] }));
    expect(await school.read(id)).toMatchObject({ state: 'disabled', reason: 'creator_lost_access' });
    const refused = await school.act(id, 'enable');
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ hint: 'Claim it' })]);
    expect((await school.act(id, 'claim')).body).toMatchObject({ state: 'disabled', reason: 'requested' });
    expect((await school.act(id, 'enable')).body).toMatchObject({ state: 'enabled', reason: null });
  });

  it('follows the deletion of a client with more disabled endpoints than one step changes', async () => {
    const { id } = await school.endpoint(URL);
    await school.query(
      `insert into webhook_endpoints (site_id, url, event_types, state, reason, created_by, client_id, sealed_secret)
       select site_id, url, event_types, 'disabled', 'requested', created_by, 'many', sealed_secret
       from webhook_endpoints, generate_series(1, 100) where id = $1`,
      [id],
    );
    const event = { data: { client_id: 'many', site_id: site_id(), state: 'deleted' } };
    const consumer = school.api.service.app.get(ClientConsumer, { strict: false });
    await school.transaction((tx) => consumer.handle(event as Parameters<ClientConsumer['handle']>[0], tx));
    const states = await school.query(`delete from webhook_endpoints where client_id = 'many' returning state, reason`);
    expect(states).toEqual(Array(100).fill({ state: 'disabled', reason: 'client_deleted' }));
  });

  it('pauses the endpoints of a client that is deleted, not of one that changes', async () => {
    const { id, client_id } = await school.endpoint(URL);
    const other = await school.endpoint(URL);
    await school.query(`update webhook_endpoints set client_id = 'other' where id = $1`, [other.id]);
    const event = (state: 'active' | 'deleted') =>
      ({ data: { client_id, site_id: site_id(), state } }) as Parameters<ClientConsumer['handle']>[0];
    const consumer = school.api.service.app.get(ClientConsumer, { strict: false });
    await school.transaction((tx) => consumer.handle(event('active'), tx));
    expect(await school.read(id)).toMatchObject({ state: 'enabled' });
    await school.transaction((tx) => consumer.handle(event('deleted'), tx));
    expect(await school.read(id)).toMatchObject({ state: 'paused', reason: 'client_deleted' });
    expect(await school.read(other.id)).toMatchObject({ state: 'enabled' });
  });

  it('pauses the endpoints of a client at the site of its deletion, and at all sites for a client of none', async () => {
    const [site, other] = school.api.sites;
    // Another test has filled the site.
    await school.query('delete from webhook_endpoints where site_id = $1', [other.site_id]);
    const made = [await school.endpoint(URL), await school.endpoint(URL, {}, other)];
    const ids = made.map(({ id }) => id);
    const client_id = randomUUID();
    await school.query('update webhook_endpoints set client_id = $2 where id = any($1)', [ids, client_id]);
    const removed = async (of: string | null): Promise<unknown[]> => {
      const event = { data: { client_id, site_id: of, state: 'deleted' } } as Parameters<ClientConsumer['handle']>[0];
      const consumer = school.api.service.app.get(ClientConsumer, { strict: false });
      await school.transaction((tx) => consumer.handle(event, tx));
      return school.query('select site_id, state from webhook_endpoints where client_id = $1 order by id', [client_id]);
    };
    expect(await removed(other.site_id)).toEqual([
      { site_id: site.site_id, state: 'enabled' },
      { site_id: other.site_id, state: 'paused' },
    ]);
    expect(await removed(null)).toEqual([
      { site_id: site.site_id, state: 'paused' },
      { site_id: other.site_id, state: 'paused' },
    ]);
  });

  it('refuses an endpoint of a member whom events already show without the role', async () => {
    const { created_by } = await school.endpoint(URL);
    await follow(membership(String(created_by), 1, { roles: ['lecturer'] }));
    const refused = await school.api.send('POST', ENDPOINTS, { body: { url: URL, event_types: ['order.paid'] } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
    await follow(membership(String(created_by), 2, {}));
  });
});

it('hides endpoints from tokens without the scope of the school', async () => {
  const token = await school.api.token('courses:read');
  expect((await school.api.send('GET', ENDPOINTS, { token })).status).toBe(403);
});
