import { randomUUID } from 'node:crypto';
import { CouponService } from '#src/coupons/coupon.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { CouponSeller } from './coupon-seller.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

const COUPONS = '/api/v1/coupons';
const GENERATE = `${COUPONS}/generate`;
const TEN_PERCENT = { kind: 'percentage', percent: 10 };
const READER = 'coupons:read';
const WRITER = 'coupons:write';

let api: TestApi;
let seller: CouponSeller;
beforeAll(async () => {
  api = await startAdminApi();
  seller = new CouponSeller(api);
});
afterAll(() => api.stop());

const coupons = async (query: string): Promise<readonly { readonly id: string; readonly code: string }[]> =>
  (await api.send<{ data: { id: string; code: string }[] }>('GET', `${COUPONS}?limit=100&${query}`)).body.data;

/** Redeems the coupon once. */
async function redeem(code: string): Promise<void> {
  const [student_id = ''] = await seller.students(1);
  await seller.redeem({ code, student_id });
}

describe('a code', () => {
  it('stays as written, and is unique without regard to case', async () => {
    const made = await seller.coupon({ code: 'Early-Bird' });
    const body = { name: 'Another', code: 'EARLY-BIRD', discount: TEN_PERCENT };
    const taken = await api.send('POST', COUPONS, { body });
    expect([taken.status, taken.body['errors']]).toEqual([
      409,
      [expect.objectContaining({ pointer: '/code', code: 'already_exists', id: made.id })],
    ]);
    expect(await coupons('code=early-bird')).toMatchObject([{ id: made.id, code: 'Early-Bird' }]);
    const renamed = await api.send('PATCH', `${COUPONS}/${made.id}`, { body: { code: 'EARLY-bird' } });
    expect(renamed.body).toMatchObject({ code: 'EARLY-bird' });
    expect((await api.send('POST', COUPONS, { site: api.sites[1], body })).status).toBe(201);
  });

  it('leads to its coupon, as the id does', async () => {
    const { id } = await seller.coupon({ code: 'By-Code' });
    const [byId, byCode] = [
      await api.send('GET', `${COUPONS}/${id}`),
      await api.send('GET', `${COUPONS}/by_code/BY-CODE`),
    ];
    expect([byCode.status, byCode.body, byCode.headers['etag']]).toEqual([200, byId.body, byId.headers['etag']]);
    const etag = byId.headers['etag'] ?? '';
    const known = await api.send('GET', `${COUPONS}/by_code/by-code`, { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
    const part = await api.send('GET', `${COUPONS}/by_code/by-code?fields=id,code`);
    expect(part.body).toEqual({ id, code: 'By-Code' });
    expect((await api.send('GET', `${COUPONS}/by_code/by-code?unknown=1`)).body['code']).toBe('unknown_parameter');
  });

  it('returns 404 at another site and for a word that is no code', async () => {
    await seller.coupon({ code: 'Here-Only' });
    const paths = ['no-such-code', 'a', '%00', 'x'.repeat(41), '%27%20or%201=1'];
    for (const path of paths) {
      const { status, body } = await api.send('GET', `${COUPONS}/by_code/${path}`);
      expect([path, status, body['code']]).toEqual([path, 404, 'not_found']);
    }
    expect((await api.send('GET', `${COUPONS}/by_code/here-only`, { site: api.sites[1] })).status).toBe(404);
  });

  it('needs the read scope', async () => {
    await seller.coupon({ code: 'For-Readers' });
    const read = async (scope: string): Promise<number> =>
      (await api.send('GET', `${COUPONS}/by_code/for-readers`, { token: await api.token(scope) })).status;
    expect([await read(READER), await read(WRITER)]).toEqual([200, 403]);
    expect((await api.send('GET', `${COUPONS}/by_code/for-readers`, { token: null })).status).toBe(401);
  });
});

describe('POST /coupons/generate', () => {
  interface Generated {
    readonly coupons: readonly { readonly id: string | null; readonly code: string | null }[];
  }
  const none = { id: null, code: null };
  const generate = (body: object, more: { path?: string; headers?: Record<string, string>; token?: string } = {}) => {
    const { path = GENERATE, ...rest } = more;
    return api.send<Generated>('POST', path, { body: { name: 'Gift', discount: TEN_PERCENT, ...body }, ...rest });
  };

  it('gives coupons the same terms, and different codes behind the prefix', async () => {
    const terms = { max_redemptions: 1, min_order: { amount_minor: 500, currency: 'TWD' }, metadata: { fair: '2026' } };
    const prefix = `${unique('P')}-`.toUpperCase();
    const response = await generate({ ...terms, prefix, count: 200, expires_at: '2090-01-01T00:00:00Z' });
    expect([response.status, response.body.coupons.length]).toEqual([200, 200]);
    const codes = new Set(response.body.coupons.map(({ code }) => code));
    expect(codes.size).toBe(200);
    for (const code of codes) expect(code?.startsWith(prefix)).toBe(true);
    const [first] = response.body.coupons;
    expect(await seller.read(first?.id ?? '')).toMatchObject({
      ...terms,
      name: 'Gift',
      code: first?.code,
      state: 'active',
      external_id: null,
      expires_at: '2090-01-01T00:00:00.000Z',
    });
  });

  it('publishes one event for each coupon', async () => {
    const prefix = `${unique('E')}-`.toUpperCase();
    await generate({ prefix, count: 3 });
    const made = await coupons(`q=${prefix}`);
    const path = '/api/v1/activity?limit=100&action=coupon.created';
    const { data } = (await api.send<{ data: { object_id: string }[] }>('GET', path)).body;
    const logged = new Set(data.map(({ object_id }) => object_id));
    expect(made).toHaveLength(3);
    expect(made.filter(({ id }) => !logged.has(id))).toEqual([]);
  });

  it('creates no coupon in a dry run, and shows no code', async () => {
    const prefix = `${unique('D')}-`.toUpperCase();
    const dry = await generate({ prefix, count: 2 }, { path: `${GENERATE}?dry_run=true` });
    expect([dry.status, dry.body]).toEqual([200, { dry_run: true, coupons: [none, none] }]);
    expect(await coupons(`q=${prefix}`)).toEqual([]);
  });

  it('returns the same coupons for a repeated idempotency key', async () => {
    const prefix = `${unique('K')}-`.toUpperCase();
    const headers = { 'idempotency-key': unique('key') };
    const first = await generate({ prefix, count: 2 }, { headers });
    const again = await generate({ prefix, count: 2 }, { headers });
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
    expect(await coupons(`q=${prefix}`)).toHaveLength(2);
    expect((await generate({ prefix, count: 3 }, { headers })).status).toBe(422);
  });

  it('needs the write scope alone', async () => {
    const send = async (scope: string): Promise<number> =>
      (await generate({ count: 1 }, { token: await api.token(scope) })).status;
    expect([await send(WRITER), await send(READER)]).toEqual([200, 403]);
  });

  it.each([
    ['/count', { count: 0 }],
    ['/count', { count: 201 }],
    ['/prefix', { count: 1, prefix: '-A' }],
    ['/prefix', { count: 1, prefix: 'A'.repeat(31) }],
    ['/code', { count: 1, code: 'CHOSEN' }],
    ['/external_id', { count: 1, external_id: 'a' }],
    ['/duration_months', { count: 1, duration: 'repeating' }],
    ['/discount', { count: 1, discount: { kind: 'percentage', amount: { amount_minor: 1, currency: 'TWD' } } }],
    ['/discount/percent', { count: 1, discount: { kind: 'percentage', percent: 101 } }],
    [
      '/discount/amount/amount_minor',
      { count: 1, discount: { kind: 'fixed_amount', amount: { amount_minor: 0, currency: 'TWD' } } },
    ],
    ['/metadata/a b', { count: 1, metadata: { 'a b': 'c' } }],
  ])('refuses the %s of %j', async (pointer, body) => {
    const response = await api.send<{ errors: { pointer: string }[] }>('POST', GENERATE, {
      body: { name: 'Gift', discount: TEN_PERCENT, ...body },
    });
    expect([response.status, response.body.errors.map((error) => error.pointer)]).toEqual([422, [pointer]]);
  });

  it('works as a tool, also in a dry run', async () => {
    const tools = toolCaller(api);
    const caller = { scopes: [WRITER] };
    const input = { name: 'By a tool', discount: TEN_PERCENT, prefix: 'TOOL-', count: 2 };
    const dry = await tools.call('generate_coupons', { ...input, dry_run: true }, caller);
    expect(dry).toEqual({ dry_run: true, coupons: [none, none] });
    const made = await tools.call('generate_coupons', input, caller);
    expect(made).toMatchObject({ dry_run: false, coupons: [{ code: expect.stringMatching(/^TOOL-/) }, {}] });
  });
});

it('fixes code and discount with the first redemption, also after it was given back', async () => {
  const { id, code } = await seller.coupon();
  const [student_id = ''] = await seller.students(1);
  const order_id = randomUUID();
  await seller.redeem({ code, student_id, order_id });
  await seller.restore(order_id);
  const path = `${COUPONS}/${id}`;
  for (const body of [{ code: unique('NEW') }, { discount: { kind: 'percentage', percent: 20 } }]) {
    const refused = await api.send('PATCH', path, { body });
    expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  }
  const same = await api.send('PATCH', path, { body: { code, discount: TEN_PERCENT, name: 'Renamed' } });
  expect([same.status, same.body['name']]).toEqual([200, 'Renamed']);
  const gone = await api.send('DELETE', path);
  expect([gone.status, gone.body['code']]).toEqual([409, 'resource_in_use']);
});

it('changes the entity tag with a redemption, and lets an editor go on', async () => {
  const { id, code } = await seller.coupon();
  const etag = (await api.send('GET', `${COUPONS}/${id}`)).headers['etag'] ?? '';
  await redeem(code);
  const read = await api.send('GET', `${COUPONS}/${id}`, { headers: { 'if-none-match': etag } });
  expect([read.status, read.body['redeemed_count']]).toEqual([200, 1]);
  const headers = { 'if-match': etag };
  expect((await api.send('PATCH', `${COUPONS}/${id}`, { body: { name: 'B' }, headers })).status).toBe(200);
});

it('refuses a limit below the redemptions', async () => {
  const { id, code } = await seller.coupon({ max_redemptions: 3 });
  await redeem(code);
  await redeem(code);
  const patch = (max_redemptions: number) => api.send('PATCH', `${COUPONS}/${id}`, { body: { max_redemptions } });
  expect((await patch(1)).body['code']).toBe('invalid_state');
  expect((await patch(2)).body).toMatchObject({ max_redemptions: 2, state: 'exhausted' });
  expect((await patch(3)).body).toMatchObject({ max_redemptions: 3, state: 'active' });
});

it('reads a fixed amount and the smallest order in the currency of the school', async () => {
  const site = api.sites[1];
  await api.send('PATCH', '/api/v1/school', { site, body: { currency: 'TWD' } });
  const amount = { amount_minor: 100, currency: 'EUR' };
  const body = { name: 'Euros', code: unique('EUR'), discount: { kind: 'fixed_amount', amount }, min_order: amount };
  const refused = await api.send<{ errors: { pointer: string }[] }>('POST', COUPONS, { site, body });
  expect(refused.body.errors.map(({ pointer }) => pointer)).toEqual([
    '/discount/amount/currency',
    '/min_order/currency',
  ]);
});

it('keeps the currency of old amounts when the school has another one', async () => {
  const site = api.sites[1];
  const school = (currency: string) => api.send('PATCH', '/api/v1/school', { site, body: { currency } });
  const send = async (method: 'PATCH' | 'PUT', path: string, body: object) => {
    const sent = await api.send<{ errors?: { pointer: string }[] }>(method, path, { site, body });
    return [sent.status, sent.body.errors?.map(({ pointer }) => pointer)];
  };
  await school('TWD');
  const min_order = { amount_minor: 100, currency: 'TWD' };
  const terms = {
    name: 'A coupon',
    code: unique('OLD'),
    min_order,
    discount: { kind: 'fixed_amount', amount: min_order },
  };
  const fixed = `${COUPONS}/by_external_id/${unique('coupon')}`;
  const { id } = (await api.send<{ id: string }>('PUT', fixed, { site, body: terms })).body;
  const percent = { ...terms, code: unique('OLD'), discount: TEN_PERCENT };
  const other = (await api.send<{ id: string }>('POST', COUPONS, { site, body: percent })).body;
  await school('EUR');
  const [amount, percentage] = [`${COUPONS}/${id}`, `${COUPONS}/${other.id}`];
  const later = { expires_at: '2090-01-01T00:00:00Z' };
  expect(await send('PATCH', amount, later)).toEqual([200, undefined]);
  expect(await send('PATCH', percentage, later)).toEqual([200, undefined]);
  expect(await send('PUT', fixed, { ...terms, name: 'Renamed' })).toEqual([200, undefined]);
  // The smallest order has the currency of the discount.
  expect(await send('PATCH', amount, { min_order: { amount_minor: 50 } })).toEqual([200, undefined]);
  expect(await send('PATCH', amount, { min_order: { currency: 'EUR' } })).toEqual([422, ['/min_order/currency']]);
  expect(await send('PATCH', percentage, { min_order: { amount_minor: 50 } })).toEqual([422, ['/min_order/currency']]);
  const cheaper = { discount: { kind: 'fixed_amount', amount: { amount_minor: 50, currency: 'TWD' } } };
  expect(await send('PATCH', amount, cheaper)).toMatchObject([
    422,
    ['/discount/amount/currency', '/min_order/currency'],
  ]);
});

describe('the clock', () => {
  const moved = async (id: string, columns: string): Promise<void> => {
    await withDatabase(api.databaseUrl, (client) => client.query(`update coupons set ${columns} where id = $1`, [id]));
  };
  const turn = () => api.service.app.get(CouponService, { strict: false }).followClock(100);
  const listed = async (state: string, id: string): Promise<boolean> =>
    (await coupons(`state=${state}`)).some((one) => one.id === id);

  it('lists coupons that begin and end by their new state', async () => {
    const begins = await seller.coupon({ starts_at: '2090-01-01T00:00:00Z' });
    const ends = await seller.coupon({ expires_at: '2090-01-01T00:00:00Z' });
    expect([await listed('scheduled', begins.id), await listed('active', ends.id)]).toEqual([true, true]);
    await moved(begins.id, `starts_at = now() - interval '1 second'`);
    await moved(ends.id, `expires_at = now() - interval '1 second'`);
    // A list leaves a coupon out until the clock has moved it.
    expect([await listed('scheduled', begins.id), await listed('active', ends.id)]).toEqual([false, false]);
    expect((await seller.read(begins.id))['state']).toBe('active');
    const since = String((await seller.read(ends.id))['updated_at']);
    await turn();
    expect([await listed('active', begins.id), await listed('expired', ends.id)]).toEqual([true, true]);
    expect((await coupons(`updated_at[gt]=${since}`)).map(({ id }) => id)).toContain(ends.id);
    expect(await turn()).toBe(0);
  });

  it('leaves deactivated coupons as they are', async () => {
    const { id } = await seller.coupon({ starts_at: '2090-01-01T00:00:00Z' });
    await api.send('POST', `${COUPONS}/${id}/deactivate`);
    await moved(id, `starts_at = now() - interval '1 second'`);
    expect(await turn()).toBe(0);
    expect((await api.send('POST', `${COUPONS}/${id}/reactivate`)).body['state']).toBe('active');
    expect(await listed('active', id)).toBe(true);
  });
});
