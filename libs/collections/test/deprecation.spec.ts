import { randomUUID } from 'node:crypto';
import { collectionFrom, collectionModule, surfaceOf } from '@lyceum/collections';
import { ConventionApi, Description, SITES } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { CouponModule } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { VoucherService } from './coupons/voucher.js';
import { voucherCollection } from './coupons/voucher.operations.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const deprecated = { since: '2026-11-01', sunset: '2027-06-01', successor: '/api/v2/vouchers' } as const;
const SENTENCE =
  'Deprecated since 2026-11-01, and removed on 2027-06-01 or later. Its successor is `/api/v2/vouchers`.';
const LINK = '</api/v2/vouchers>; rel="successor-version"';
const HEADERS = { deprecation: '@1793491200', sunset: 'Tue, 01 Jun 2027 00:00:00 GMT', link: LINK };
const summary = 'Read vouchers';

const { declared } = voucherCollection;
const { operations } = declared;
const list = { ...operations.list!, summary, description: 'Returns the vouchers.', deprecated };
const tool = { description: 'Reads a voucher.' };
const get = { ...operations.get!, summary, description: 'Returns one.', deprecated, tool };
const deprecatedVouchers = collectionFrom({ ...declared, operations: { ...operations, list, get } });

const modules = [CouponModule, collectionModule({ operations: [deprecatedVouchers], services: [VoucherService] })];
const document = buildDocument(surfaceOf(modules));
const api = new ConventionApi(new Description(document));
const [site] = SITES;
let ground: Ground;
let id: string;

beforeAll(async () => {
  ground = await openGround([CouponModule, VoucherModule]);
  const { url } = await ground.start(modules);
  await api.open({ url, ...ground });
  const [row] = await api.query<{ id: string }>(
    `insert into vouchers (site_id, created_by, code, name)
     select $1, uuidv7(), 'd-' || n, 'A voucher' from generate_series(1, 2) n returning id`,
    [site.site_id],
  );
  id = String(row?.id);
});
afterAll(async () => {
  await api.close();
  await ground?.stop();
});

const read = (path = id, request: Parameters<typeof api.send>[2] = {}) =>
  api.send('GET', `/api/v1/vouchers/${path}`, request);

it.each([
  ['an object', 200, () => read()],
  [
    'an unmodified object',
    304,
    async () => read(id, { headers: { 'if-none-match': (await read()).headers['etag']! } }),
  ],
  ['an unknown object', 404, () => read(randomUUID())],
  ['an invalid parameter', 400, () => read(`${id}?expand=nothing`)],
  ['a request without a token', 401, () => read(id, { caller: null })],
  ['a request without the scope', 403, () => read(id, { caller: { scopes: ['students:read'] } })],
])('sends the headers of a deprecated operation with %s', async (_what, status, request) => {
  const response = await request();
  expect([response.status, response.headers]).toEqual([status, expect.objectContaining(HEADERS)]);
});

it('sends the link to the successor beside those to other pages', async () => {
  const { headers } = await api.send('GET', '/api/v1/vouchers?limit=1');
  expect(headers).toMatchObject({ deprecation: HEADERS.deprecation, sunset: HEADERS.sunset });
  expect(headers['link']).toMatch(/^<[^>]+>; rel="next", <\/api\/v2\/vouchers>; rel="successor-version"$/);
});

it('sends no such header with other operations', async () => {
  const { status, headers } = await api.send('GET', '/api/v1/coupons');
  expect([status, headers['deprecation'], headers['sunset']]).toEqual([200, undefined, undefined]);
});

it('marks the operation in the document, and describes its end', () => {
  const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  expect(paths['/api/v1/vouchers/{id}']?.['get']).toMatchObject({
    deprecated: true,
    description: `Returns one. ${SENTENCE}`,
  });
  expect(paths['/api/v1/coupons']?.['get']).not.toHaveProperty('deprecated');
});

it('describes the end in the tool', async () => {
  const tools = await api.tools();
  const descriptions = Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  expect(descriptions['get_voucher']).toBe(`Reads a voucher. ${SENTENCE}`);
  expect(descriptions['get_coupon']).not.toContain('Deprecated');
});

it.each([
  ['2026-11-01', '2027-04-30'],
  ['2026-11-01', 'soon'],
])('refuses an announcement on %s of a removal on %s', (since, sunset) => {
  const hasty = { ...operations.get!, deprecated: { since, sunset } };
  expect(() => collectionFrom({ ...declared, operations: { ...operations, get: hasty } })).toThrow(
    `The sunset ${sunset} must be at least 6 months after ${since}`,
  );
});
