import { randomUUID } from 'node:crypto';
import { collectionFrom, surfaceOf } from '@lyceum/collections';
import { ConventionApi, Description, SITES } from '@lyceum/collections/conventions';
import type { Json, ToolRequest } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { CouponModule, couponCollection } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const modules = [CouponModule, VoucherModule];
const api = new ConventionApi(new Description(buildDocument(surfaceOf(modules))));
const [, elsewhere] = SITES;
let ground: Ground;

beforeAll(async () => {
  ground = await openGround(modules);
  const { url } = await ground.start(modules);
  await api.open({ url, ...ground });
});
afterAll(async () => {
  await api.close();
  await ground?.stop();
});

/** The result of a tool; of a refusal, its error. */
async function call(name: string, args: Json, request?: ToolRequest): Promise<Record<string, unknown>> {
  const reply = await api.tool(name, args, request);
  return (reply.ok ? reply.result : reply.error) as Record<string, unknown>;
}

const discount = { kind: 'percentage', percent: 10 };

it('offers a tool for each operation that has a text, with the hints of its kind', async () => {
  const tools = await api.tools();
  const hints = Object.fromEntries(
    tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
  );
  expect(hints).toEqual({
    list_coupons: [true, false],
    get_coupon: [true, false],
    create_coupon: [false, false],
    update_coupon: [false, true],
    deactivate_coupon: [false, true],
    copy_voucher: [false, false],
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
  expect(await call('get_coupon', { id }, { site: elsewhere })).toMatchObject({ code: 'not_found' });
});

const { declared } = couponCollection;
const { actions, create, get } = declared.operations;

it.each([
  ['that ends something', { ends: true }, { destructiveHint: true, idempotentHint: true }],
  ['that can be undone', { ends: false }, { destructiveHint: false, idempotentHint: true }],
  [
    'of which each call has a further effect',
    { ends: false, repeats: true },
    { destructiveHint: false, idempotentHint: false },
  ],
])('hints at what a call and its repetition do, for an action %s', (_what, words, hints) => {
  const operations = { actions: { deactivate: { ...actions!['deactivate']!, ...words } } };
  const [tool] = collectionFrom({ ...declared, operations }).tools;
  expect(tool?.declaration.annotations).toMatchObject(hints);
});

it('refuses an operation whose tool would begin with another verb than its kind', () => {
  const operations = { get: { ...get!, id: 'showCoupon' } };
  expect(() => collectionFrom({ ...declared, operations })).toThrow('show_coupon: its name must begin with get_');
});

it.each([[undefined], [[]]])('refuses a list tool whose collection declares the items %j', (toolItem) => {
  expect(() => collectionFrom({ ...declared, toolItem })).toThrow(
    'list_coupons: its collection must declare toolItem, the members that an item of the list shows',
  );
});

it.each([
  ['issueCoupon', undefined, 'issue_coupon: its name must begin with create_'],
  ['issueCoupon', 'The coupon that has the code', undefined],
])('names the tool of a creation by an action only where it may find the object: %s, %s', (id, existing, fault) => {
  const issued = () => collectionFrom({ ...declared, operations: { create: { ...create!, id, existing } } });
  if (fault === undefined) expect(issued).not.toThrow();
  else expect(issued).toThrow(fault);
});

it('changes nothing in a dry run, and creates once under a key', async () => {
  const before = await api.snapshot();
  const args = { code: 'TOOL-2', name: 'Dry', discount };
  const dry = await call('create_coupon', { ...args, dry_run: true });
  expect(dry).toMatchObject({ dry_run: true, coupon: { id: null, code: 'TOOL-2' } });
  expect(await api.snapshot()).toEqual(before);
  const caller = { person_id: randomUUID(), client_id: 'an-app' };
  const first = await call('create_coupon', { ...args, idempotency_key: 'k' }, { caller });
  expect(await call('create_coupon', { ...args, idempotency_key: 'k' }, { caller })).toEqual(first);
});

it('deletes a voucher once, and shows it as it was', async () => {
  const { body } = await api.send('POST', '/api/v1/vouchers', { body: { code: 'T-1', name: 'A voucher' } });
  const { id } = body;
  expect(await call('delete_voucher', { id, dry_run: true })).toMatchObject({ dry_run: true, voucher: { id } });
  expect(await call('delete_voucher', { id })).toMatchObject({ dry_run: false, voucher: { id, name: 'A voucher' } });
  expect(await call('delete_voucher', { id })).toMatchObject({ code: 'not_found' });
});
