import { randomUUID } from 'node:crypto';
import { ERASED_NAME, erasedEmail } from '@lyceum/contracts';
import type { Membership } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import type { PublicEventType } from '#src/changes/public-event-types.js';
import type { PublicEvent } from '#src/changes/public-event.js';
import { MembershipService } from '#src/members/membership.service.js';
import { toolCaller } from './tool-caller.js';
import { DELIVERIES, WebhookSchool } from './webhook-school.js';
import type { Json } from './webhook-school.js';

const school = WebhookSchool.ofFile();

const saying = (text: string | Buffer, status = 200) =>
  school.receiver((response) => void response.writeHead(status).end(text));

/** The only delivery of an endpoint, with its bodies. */
async function delivered(endpoint_id: string): Promise<Json> {
  const { id } = await school.attempted(endpoint_id);
  return (await school.api.send('GET', `${DELIVERIES}/${String(id)}`)).body;
}

describe('the bodies of a delivery', () => {
  it('shows the request as the receiver got it, and the response, but in no list', async () => {
    const receiver = await saying('{"error":"no such order"}', 422);
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    const delivery = await delivered(id);
    expect(delivery).toMatchObject({ response_status: 422, response_body: '{"error":"no such order"}' });
    expect(delivery['request_body']).toBe(receiver.received[0]!.body);
    const [listed] = await school.deliveries(id);
    expect(Object.keys(listed!)).toEqual(Object.keys(delivery).filter((name) => !name.endsWith('_body')));
  });

  it('shows no response to a receiver without one', async () => {
    const { id } = await school.endpoint((await school.receiver()).url);
    await school.publish([school.paid()]);
    expect(await delivered(id)).toMatchObject({ response_status: 204, response_body: null });
  });

  it('stores the first 16 KiB of a response of 10 MB', async () => {
    const { id } = await school.endpoint((await saying(Buffer.alloc(10 * 1024 * 1024, 'a'))).url);
    await school.publish([school.paid()]);
    expect((await delivered(id))['response_body']).toBe('a'.repeat(16 * 1024));
  });

  it.each([
    [64 * 1024, true],
    [64 * 1024 + 1, false],
  ])('reads a response of %i bytes to its end: %p', async (bytes, whole) => {
    let closed = 0;
    const receiver = await school.receiver((response) => {
      response.socket?.once('close', () => (closed += 1));
      response.writeHead(200, { 'content-length': bytes }).end(Buffer.alloc(bytes, 'a'));
    });
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    expect(await delivered(id)).toMatchObject({ state: 'succeeded' });
    // The sender keeps a connection for a time after it has read a whole response.
    if (!whole)
      await eventually(
        () => Promise.resolve(closed),
        (count) => count === 1,
      );
    expect(closed).toBe(whole ? 0 : 1);
    await school.act(id, 'disable');
  });

  it('contains the secret of the endpoint in no column of the log, also while two of them sign', async () => {
    const receiver = await school.receiver();
    const { id, secret } = await school.endpoint(receiver.url);
    const { secret: next } = (await school.act(id, 'rotate_secret')).body as { secret: string };
    receiver.respondWith((response) => void response.end(`secrets ${secret} and ${JSON.stringify({ next })}`));
    await school.publish([school.paid()]);
    expect((await delivered(id))['response_body']).toBe('secrets [secret] and {"next":"[secret]"}');
    const rows = await school.query<{ row: string }>(
      'select d::text as row from webhook_deliveries d where endpoint_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    for (const one of [secret, next]) expect(rows[0]!.row).not.toContain(one.slice('whsec_'.length));
  });

  it('hides the bodies from a token without the read scope of the event type, also by the entity tag', async () => {
    const { id: endpoint_id } = await school.endpoint((await saying('paid')).url);
    await school.publish([school.paid()]);
    const path = `${DELIVERIES}/${String((await school.attempted(endpoint_id))['id'])}`;
    const read = async (scope: string, etag?: string) => {
      const token = await school.api.token(`school:read ${scope}`);
      return school.api.send('GET', path, { token, ...(etag !== undefined && { headers: { 'if-none-match': etag } }) });
    };
    const hidden = await read('courses:read');
    expect(hidden.body).toMatchObject({ state: 'succeeded', request_body: null, response_body: null });
    const etag = hidden.headers['etag'] ?? '';
    expect((await read('courses:read', etag)).status).toBe(304);
    const shown = { request_body: expect.stringContaining('"order.paid"'), response_body: 'paid' };
    expect(await read('orders:read', etag)).toMatchObject({ status: 200, body: shown });
    // Both tags name the same version, so each fits a change.
    const token = await school.api.token('school:read school:write orders:read');
    const again = await school.api.send('POST', `${path}/redeliver`, { token, headers: { 'if-match': etag } });
    expect(again.status).toBe(200);
  });
});

it('sends an event again, by the API and by the tool, for a caller with the read scope of its type alone', async () => {
  const { id: endpoint_id } = await school.endpoint((await school.receiver()).url);
  await school.publish([school.paid()]);
  const id = String((await school.attempted(endpoint_id))['id']);
  const send = async (scope: string) => {
    const token = await school.api.token(`school:read school:write ${scope}`);
    return (await school.api.send('POST', `${DELIVERIES}/${id}/redeliver`, { token })).body;
  };
  const call = (scope: string) =>
    toolCaller(school.api).call('redeliver_webhook', { id }, { scopes: ['school:write', scope] });
  expect(await send('courses:read')).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(await call('courses:read')).toMatchObject({ ok: false, code: 'insufficient_scope' });
  expect(await delivered(endpoint_id)).toMatchObject({ state: 'succeeded', attempts: 1 });
  const again = { id, state: 'pending', attempts: 0 };
  expect(await send('orders:read')).toMatchObject(again);
  await eventually(
    () => school.attempted(endpoint_id),
    ({ state }) => state === 'succeeded',
  );
  expect(await call('orders:read')).toMatchObject({ webhook_delivery: again });
});

describe('get_webhook_delivery', () => {
  it('shows a delivery as the REST API does, without bodies to a caller who lacks the scope of the event', async () => {
    const { id: endpoint_id } = await school.endpoint((await saying('{"error":"unknown"}', 422)).url);
    await school.publish([school.paid()]);
    await school.attempted(endpoint_id);
    await school.act(endpoint_id, 'disable');
    const delivery = await delivered(endpoint_id);
    const args = { id: delivery['id'] };
    const call = (...scopes: string[]) => toolCaller(school.api).call('get_webhook_delivery', args, { scopes });
    expect(await call('school:read', 'orders:read')).toMatchObject(delivery);
    const hidden = { ...delivery, request_body: null, response_body: null };
    expect(await call('school:read', 'courses:read')).toMatchObject(hidden);
    expect(await call('orders:read')).toMatchObject({ ok: false, code: 'insufficient_scope' });
  });
});

describe('the removal of a member', () => {
  const EMAIL = `${randomUUID()}@example.com`;
  const NAME = 'Chén “Mei” 陳';

  // A site has at most 20 endpoints.
  beforeEach(() => school.query('delete from webhook_endpoints'));

  function membership(member_id: string, version: number, more: Partial<Membership> = {}): Membership {
    return {
      member_id,
      site_id: school.api.sites[0].site_id,
      person_id: randomUUID(),
      email: EMAIL,
      name: NAME,
      picture: null,
      locale: null,
      phone: '+886912345678',
      timezone: null,
      state: 'active',
      roles: ['lecturer'],
      joined_at: '2026-01-01T00:00:00.000Z',
      student_id: null,
      joined: true,
      epoch: 1,
      version,
      ...more,
    };
  }

  const follow = (given: Membership): Promise<void> =>
    school.transaction((tx) => school.api.service.app.get(MembershipService, { strict: false }).follow(tx, given));

  /** Applies a removal, and waits until its search of the log has ended. */
  async function remove(member_id: string, more: Partial<Membership> = {}): Promise<void> {
    const gone = { state: 'removed' as const, roles: [], email: erasedEmail(member_id), name: ERASED_NAME };
    await follow(membership(member_id, 9, { ...gone, ...more }));
    await eventually(
      () => school.query('select from webhook_erasures'),
      ({ length }) => length === 0,
    );
  }

  /** An endpoint whose receiver has answered an event with the text. */
  async function answered(text: string, event = school.paid(), site = school.api.sites[0]): Promise<string> {
    const event_types = [event.type];
    const { id } = await school.endpoint((await saying(text)).url, { event_types }, site);
    await school.publish([{ ...event, site_id: site.site_id }]);
    await eventually(
      () => responseTo(id),
      (response) => response !== undefined,
    );
    // A site has at most 20 endpoints, and events reach all of them.
    await school.query(`update webhook_endpoints set state = 'disabled', reason = 'requested' where id = $1`, [id]);
    return id;
  }

  /** Undefined before the first attempt. */
  async function responseTo(endpoint_id: string): Promise<string | null | undefined> {
    const attempted = 'select response_body from webhook_deliveries where endpoint_id = $1 and attempts > 0';
    const [row] = await school.query<{ response_body: string | null }>(attempted, [endpoint_id]);
    return row?.response_body;
  }

  it('erases responses that name the person or are about them, and keeps all others', async () => {
    const member_id = randomUUID();
    await follow(membership(member_id, 1));
    const about = school.paid({ type: 'member.updated', object_id: member_id, data: {} });
    const named = [
      await answered(`Unknown address ${EMAIL.toUpperCase()}`),
      await answered(JSON.stringify({ name: NAME })),
      await answered('{"name":"Ch\\u00e9n \\u201cMei\\u201d \\u9673"}'),
      await answered('called +886912345678'),
      await answered('The person was updated', about),
    ];
    const kept = [
      await answered('Thank you'),
      await answered(`${EMAIL} of another site`, school.paid(), school.api.sites[1]),
    ];
    await remove(member_id);
    expect(await Promise.all(named.map(responseTo))).toEqual(named.map(() => null));
    expect(await Promise.all(kept.map(responseTo))).toEqual(['Thank you', `${EMAIL} of another site`]);
  });

  it.each<[PublicEventType, (student_id: string) => PublicEvent['data']]>([
    ['order.paid', (student_id) => ({ student_id })],
    ['coupon.redeemed', (student_id) => ({ code: 'WELCOME', redemption: { id: randomUUID(), student_id } })],
  ])('erases responses to %s about the student of the person, and stores no later one', async (type, data) => {
    const [member_id, person_id] = [randomUUID(), randomUUID()];
    const email = `${randomUUID()}@example.com`;
    const { body } = await school.api.send<{ id: string }>('POST', '/api/v1/students', { body: { email } });
    await follow(membership(member_id, 1, { email, person_id, roles: ['student'], student_id: body.id }));
    const [about, other] = [body.id, randomUUID()].map((student_id) => school.paid({ type, data: data(student_id) }));
    const [id, kept] = [await answered('Paid by a person', about), await answered('Paid by another one', other)];
    await remove(member_id, { person_id });
    expect([await responseTo(id), await responseTo(kept)]).toEqual([null, 'Paid by another one']);
    expect(await responseTo(await answered('Paid by Mei', { ...about!, id: randomUUID() }))).toBeNull();
  });

  it('stores no response to a later event about the person', async () => {
    const member_id = randomUUID();
    await follow(membership(member_id, 1));
    await remove(member_id);
    const about = school.paid({ type: 'member.removed', object_id: member_id, data: { state: 'removed', roles: [] } });
    expect(await responseTo(await answered(`Removed ${NAME}`, about))).toBeNull();
    expect(await responseTo(await answered('Thank you'))).toBe('Thank you');
  });

  it('stores no response of a turn from before the removal', async () => {
    const member_id = randomUUID();
    await follow(membership(member_id, 1));
    let answer: () => void = () => undefined;
    const receiver = await school.receiver((response) => (answer = () => void response.end(`For ${EMAIL}`)));
    const { id } = await school.endpoint(receiver.url);
    await school.publish([school.paid()]);
    await eventually(
      () => Promise.resolve(receiver.open),
      (open) => open === 1,
    );
    await remove(member_id);
    answer();
    expect(await school.attempted(id)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await responseTo(id)).toBeNull();
  });
});
