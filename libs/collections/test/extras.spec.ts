import { surfaceOf } from '@lyceum/collections';
import { ConventionApi, Description } from '@lyceum/collections/conventions';
import { buildDocument } from '@lyceum/rest';
import { CouponModule } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

const modules = [CouponModule, VoucherModule];
const api = new ConventionApi(new Description(buildDocument(surfaceOf(modules))));
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

const create = async (code: string, more: object = {}): Promise<string> => {
  const response = await api.send('POST', '/api/v1/vouchers', { body: { code, name: 'A voucher', ...more } });
  expect(response.status).toBe(201);
  return String(response.body['id']);
};

describe('an expansion', () => {
  it('shows other objects beside the members of fields, one query for all rows', async () => {
    const id = await create('expanded');
    await api.send('POST', `/api/v1/vouchers/${id}/redemptions`, { body: { member: 'Ada' } });
    const redemptions = [{ id: expect.any(String), member: 'Ada' }];
    const one = await api.send('GET', `/api/v1/vouchers/${id}?expand=redemptions`);
    expect(one.body).toMatchObject({ id, redemptions });
    const list = await api.send('GET', '/api/v1/vouchers?expand=redemptions&fields=id&limit=1');
    expect(list.body['data']).toEqual([{ id, redemptions }]);
    const plain = await api.send('GET', `/api/v1/vouchers/${id}`);
    expect(plain.body).not.toHaveProperty('redemptions');
  });

  it('changes the entity tag of the response when the other objects change', async () => {
    const id = await create('tagged');
    const read = async () => (await api.send('GET', `/api/v1/vouchers/${id}?expand=redemptions`)).headers['etag'];
    const before = await read();
    await api.send('POST', `/api/v1/vouchers/${id}/redemptions`, { body: { member: 'Ada' } });
    expect(await read()).not.toBe(before);
  });

  it('accepts the entity tag of a response with expanded objects', async () => {
    const id = await create('matched');
    const path = `/api/v1/vouchers/${id}`;
    const { headers } = await api.send('GET', `${path}?expand=redemptions`);
    const known = { 'if-match': headers['etag'] ?? '' };
    await api.send('POST', `${path}/redemptions`, { body: { member: 'Ada' } });
    const patch = (name: string) => api.send('PATCH', path, { body: { name }, headers: known });
    expect((await patch('Another name')).status).toBe(200);
    const stale = await patch('A third name');
    expect([stale.status, stale.body['code']]).toEqual([412, 'precondition_failed']);
  });

  it('needs the read scope of what it shows', async () => {
    const caller = { scopes: ['coupons:read'] };
    const refused = await api.send('GET', '/api/v1/vouchers?expand=redemptions', { caller });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toContain('scope="students:read"');
    const unknown = await api.send('GET', '/api/v1/vouchers?expand=members');
    expect([unknown.status, unknown.body['code']]).toEqual([400, 'invalid_request']);
  });
});

it('keeps a voucher with redemptions', async () => {
  const id = await create('kept');
  await api.send('POST', `/api/v1/vouchers/${id}/redemptions`, { body: { member: 'Ada' } });
  const refused = await api.send('DELETE', `/api/v1/vouchers/${id}`);
  expect([refused.status, refused.body['code']]).toEqual([409, 'resource_in_use']);
});

describe('a bulk request with a value that another object has', () => {
  const bulk = async (query: string, body: object) =>
    (await api.send('POST', `/api/v1/vouchers/bulk${query}`, { body })).body['results'];
  const taken = (index: number) => ({
    pointer: `/items/${index}/code`,
    code: 'already_exists',
    detail: 'Taken by another voucher',
  });
  const item = (code: string) => ({ code, name: 'A voucher' });

  it('names the id of the other object', async () => {
    const id = await create('known');
    const [first, second, third] = (await bulk('', { items: [item('known'), item('fresh'), item('fresh')] })) as {
      readonly id: string | null;
    }[];
    expect(first).toEqual({ index: 0, status: 409, id: null, errors: [{ ...taken(0), id }] });
    expect(third).toEqual({ index: 2, status: 409, id: null, errors: [{ ...taken(2), id: second?.id }] });
  });

  it.each([
    ['?dry_run=true', false, [201, 409, 409]],
    ['', true, [424, 409, 409]],
  ])('names no object that %j with atomic %j has not kept', async (query, atomic, statuses) => {
    const known = `kept-${atomic}`;
    const id = await create(known);
    const codes = [`undone-${atomic}`, atomic ? known : `undone-${atomic}`, known];
    const results = (await bulk(query, { atomic, items: codes.map(item) })) as {
      readonly status: number;
      readonly id: string | null;
      readonly errors: readonly object[];
    }[];
    expect(results.map(({ status }) => status)).toEqual(statuses);
    expect(results.every((one) => one.id === null)).toBe(true);
    expect(results.flatMap(({ errors }) => errors)).toEqual([
      atomic ? { ...taken(1), id } : taken(1),
      { ...taken(2), id },
    ]);
  });
});

it('shows a caller without the read scope only what the request sent', async () => {
  const caller = { scopes: ['coupons:write'] };
  const path = '/api/v1/vouchers/by_external_id/secret';
  const body = { code: 'secret', name: 'Secret' };
  await api.send('PUT', path, { body: { ...body, metadata: { note: 'hidden' } } });
  const noop = await api.send('PUT', path, { body, caller });
  expect(Object.keys(noop.body).toSorted()).toEqual(['code', 'id', 'name', 'updated_at']);
});

it('creates one voucher when two upserts of a key run at the same time', async () => {
  const put = () => api.send('PUT', '/api/v1/vouchers/by_external_id/race', { body: { code: 'race', name: 'Race' } });
  const responses = await Promise.all([put(), put(), put()]);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(responses.map(({ body }) => body['id'])).size).toBe(1);
});

it('creates one voucher when three upserts of a key that only create run at the same time', async () => {
  const path = '/api/v1/vouchers/by_external_id/only-one';
  const headers = { 'if-none-match': '*' };
  const put = (code: string) => api.send('PUT', path, { body: { code, name: 'Race' }, headers });
  const responses = await Promise.all(['only-1', 'only-2', 'only-3'].map(put));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412, 412]);
});

it('returns the first response to an upsert that only creates when its key repeats', async () => {
  const body = { code: 'only-once', name: 'Once' };
  const headers = { 'if-none-match': '*', 'idempotency-key': 'only-once' };
  const token = api.token();
  const put = () => api.send('PUT', '/api/v1/vouchers/by_external_id/only-once', { body, headers, token });
  const [first, again] = [await put(), await put()];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
});

it('links to the next page of a query with two question marks', async () => {
  for (const code of ['asking-1', 'asking-2']) await create(code, { metadata: { note: 'why?' } });
  const first = await api.send('GET', '/api/v1/vouchers?metadata[note]=why?&sort=created_at&limit=1');
  const { pathname, search } = new URL(/<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '');
  const next = await api.send('GET', `${pathname}${search}`);
  expect([next.status, next.body['data']]).toEqual([200, [expect.objectContaining({ code: 'asking-2' })]]);
});
