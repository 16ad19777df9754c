import { randomUUID } from 'node:crypto';
import { replySchema } from '@lyceum/contracts';
import { Collection, Get, collectionModule, surfaceOf } from '@lyceum/collections';
import type { ObjectRequest } from '@lyceum/collections';
import { ConventionApi, Description, SITES } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { publishedCapabilities, publishedSubject, signedCall, testInfrastructure } from '@lyceum/testing';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Coupon } from './coupons/coupon.entity.js';
import { CouponModule } from './coupons/coupon.module.js';
import { CouponOperations } from './coupons/coupon.operations.js';
import { coupon } from './coupons/coupon.schema.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const modules = [CouponModule, VoucherModule];
const api = new ConventionApi(new Description(buildDocument(surfaceOf(modules))));
const [site, elsewhere] = SITES;
let ground: Ground;
let admin: NatsConnection;
let gateway: NatsConnection;
let key: string;

beforeAll(async () => {
  ground = await openGround(modules);
  const { url } = await ground.start(modules);
  await api.open({ url, ...ground });
  const connectAs = (user: string): Promise<NatsConnection> => {
    const { NATS_URL, NATS_PASSWORD } = ground.natsEnvironment(user);
    return connect({ servers: NATS_URL ?? '', user, pass: NATS_PASSWORD ?? '', inboxPrefix: `_INBOX_${user}` });
  };
  [admin, gateway] = await Promise.all([connectAs('admin'), connectAs('mcp-gateway')]);
  key = (await testInfrastructure()).callSigningKey;
});
afterAll(async () => {
  await Promise.all([api.close(), admin?.close(), gateway?.close()]);
  await ground?.stop();
});

const ALL = ['coupons:read', 'coupons:write'];

/** The result of a tool; of a refusal, its error. */
async function call(
  name: string,
  args: object,
  { at = site, person_id = String(randomUUID()) } = {},
): Promise<Record<string, unknown>> {
  const subject = await publishedSubject(admin, 'admin-api', 'tool', name);
  const body = JSON.stringify({ arguments: args });
  const principal = {
    person_id,
    member_id: person_id,
    site_id: at.site_id,
    client_id: 'an-app',
    audience: 'operator',
    scopes: ALL,
    grant_id: 'grant',
    token_fingerprint: '0123456789abcdef',
    expires_at: Math.floor(Date.now() / 1000) + 60,
  };
  const headers = signedCall({ subject, body, site_id: at.site_id, principal }, key);
  const reply = replySchema.parse((await gateway.request(subject, body, { timeout: 5_000, headers })).json());
  return (reply.ok ? reply.result : reply.error) as Record<string, unknown>;
}

const discount = { kind: 'percentage', percent: 10 };

it('offers a tool for each operation that has a text, with the hints of its kind', async () => {
  const { tools } = await publishedCapabilities(admin, 'admin-api');
  const hints = Object.fromEntries(
    tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
  );
  expect(hints).toEqual({
    list_coupons: [true, false],
    get_coupon: [true, false],
    create_coupon: [false, false],
    update_coupon: [false, true],
    deactivate_coupon: [false, true],
    delete_voucher: [false, true],
  });
});

it('creates, reads, changes, ends and lists a coupon', async () => {
  const made = await call('create_coupon', { code: 'TOOL-1', name: 'By a tool', discount });
  expect(made).toMatchObject({ dry_run: false, coupon: { code: 'TOOL-1', active: true, metadata: {} } });
  const { id } = made['coupon'] as { id: string };
  expect(await call('update_coupon', { id, name: 'Renamed' })).toMatchObject({ coupon: { id, name: 'Renamed' } });
  expect(await call('deactivate_coupon', { id })).toMatchObject({ coupon: { id, active: false } });
  expect(await call('get_coupon', { id })).toMatchObject({ id, name: 'Renamed', active: false });
  expect(await call('list_coupons', { active: false, q: 'renamed' })).toEqual({
    items: [{ id, code: 'TOOL-1', name: 'Renamed', active: false, expires_at: null, redeemed_count: 0 }],
    next_cursor: null,
  });
  expect(await call('get_coupon', { id }, { at: elsewhere })).toMatchObject({ code: 'not_found' });
});

it('refuses an operation whose tool would begin with another verb than its kind', () => {
  @Collection<Coupon>({ name: 'coupons', description: 'Coupons.', resource: coupon })
  class ShownCoupons extends CouponOperations {
    @Get('showCoupon', { summary: 'Show', description: 'Shows one.', tool: { description: 'Shows one coupon.' } })
    override get(request: ObjectRequest): Promise<Coupon> {
      return super.get(request);
    }
  }
  expect(() => collectionModule({ operations: [ShownCoupons], services: [] })).toThrow(
    'show_coupon: its name must begin with get_',
  );
});

it('changes nothing in a dry run, and creates once under a key', async () => {
  const before = await api.snapshot();
  const args = { code: 'TOOL-2', name: 'Dry', discount };
  const dry = await call('create_coupon', { ...args, dry_run: true });
  expect(dry).toMatchObject({ dry_run: true, coupon: { id: null, code: 'TOOL-2' } });
  expect(await api.snapshot()).toEqual(before);
  const person_id = randomUUID();
  const first = await call('create_coupon', { ...args, idempotency_key: 'k' }, { person_id });
  expect(await call('create_coupon', { ...args, idempotency_key: 'k' }, { person_id })).toEqual(first);
});

it('deletes a voucher once, and shows it as it was', async () => {
  const { body } = await api.send('POST', '/api/v1/vouchers', { body: { code: 'T-1', name: 'A voucher' } });
  const { id } = body;
  expect(await call('delete_voucher', { id, dry_run: true })).toMatchObject({ dry_run: true, voucher: { id } });
  expect(await call('delete_voucher', { id })).toMatchObject({ dry_run: false, voucher: { id, name: 'A voucher' } });
  expect(await call('delete_voucher', { id })).toMatchObject({ code: 'not_found' });
});
