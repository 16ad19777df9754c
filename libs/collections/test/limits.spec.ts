import { hash, randomUUID } from 'node:crypto';
import { ConventionApi, Description, PEOPLE, SITES } from '@lyceum/collections/conventions';
import { surfaceOf } from '@lyceum/collections';
import { Open } from '@lyceum/resource-server';
import { buildDocument } from '@lyceum/rest';
import { send } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import { Controller, Get, Post } from '@nestjs/common';
import { CouponModule } from './coupons/coupon.operations.js';
import { VoucherModule } from './coupons/voucher.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

@Controller('open')
class OpenController {
  @Get()
  @Open()
  read(): string {
    return 'read';
  }

  @Post()
  @Open()
  write(): string {
    return 'written';
  }
}

const open = { ...CouponModule, controllers: [...(CouponModule.controllers ?? []), OpenController] };
const modules = [CouponModule, VoucherModule];
const api = new ConventionApi(new Description(buildDocument(surfaceOf(modules))));
const SOURCE = '127.0.0.1';
/** As the document says: writes of an address in a minute. A replica gives the first 200 without asking. */
const [WRITES, UNSHARED] = [2_000, 200];

let ground: Ground;

beforeAll(async () => {
  ground = await openGround(modules);
});
afterAll(async () => {
  await api.close();
  await ground?.stop();
});

/** Starts a replica after a subject, by default the address, has spent so many units of a quota elsewhere. */
async function startAfter(spent: number, quota = `write-source\n${SOURCE}`): Promise<string> {
  const { url } = await ground.start([open, VoucherModule]);
  await api.close();
  await api.open({ url, ...ground });
  const key = hash('sha256', quota, 'buffer');
  await api.query('delete from rate_windows');
  await api.query('insert into rate_windows (limit_key, started_at, spent) values ($1, now(), $2)', [key, spent]);
  return url;
}

const write = (url: string, path: string, token?: string): Promise<ReceivedResponse> =>
  send(
    url,
    'POST',
    path,
    {
      host: SITES[0].host,
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    {},
  );

async function statusesOf(count: number, request: () => Promise<ReceivedResponse>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += 1) statuses.add((await request()).status);
  return statuses;
}

it('counts requests without a good token for their address, up to the limit and not beyond', async () => {
  const left = UNSHARED + 1;
  const url = await startAfter(WRITES - left);
  expect(await statusesOf(left - 1, () => write(url, '/api/v1/coupons'))).toEqual(new Set([401]));
  const foreign = api.token({}, SITES[1]);
  const last = await write(url, '/api/v1/coupons', foreign);
  expect([last.status, last.headers['ratelimit-policy']]).toEqual([401, `"write-source";q=${WRITES};w=60`]);
  expect(last.headers['ratelimit']).toMatch(/^"write-source";r=0;/);
  for (const token of [undefined, foreign]) {
    const refused = await write(url, '/api/v1/coupons', token);
    expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })]);
    expect(refused.headers['ratelimit']).toBe(`"write-source";r=0;t=${refused.headers['retry-after']}`);
  }
  const operator = await write(url, '/api/v1/coupons', api.token());
  expect([operator.status, operator.headers['ratelimit-policy']]).toEqual([422, '"write";q=200;w=60']);
  expect((await send(url, 'GET', '/open', { host: SITES[0].host })).status).toBe(200);
});

it('counts requests to an open route for their address, and verifies no token there', async () => {
  const left = UNSHARED + 1;
  const url = await startAfter(WRITES - left);
  const asked = ground.callers.asked;
  expect(await statusesOf(left, () => write(url, '/open', api.token()))).toEqual(new Set([201]));
  expect((await write(url, '/open', api.token())).status).toBe(429);
  expect(ground.callers.asked).toBe(asked);
});

describe('the items of bulk requests', () => {
  const [CLIENT, SITE] = [2_500, 5_000];
  const site = SITES[0].site_id;
  const caller = { person_id: PEOPLE[0]!, client_id: randomUUID() };
  const client = `${site}:${caller.person_id}:${caller.client_id}`;

  const bulk = (url: string, codes: readonly string[], more: { token?: string; key?: string; query?: string } = {}) => {
    const { token = api.token(caller), key = randomUUID(), query = '' } = more;
    const headers = { host: SITES[0].host, authorization: `Bearer ${token}`, 'idempotency-key': key };
    const items = codes.map((code) => ({ code, name: code, price: { amount_minor: 100, currency: 'TWD' } }));
    const path = `/api/v1/vouchers/bulk${query}`;
    return send(url, 'POST', path, { ...headers, 'content-type': 'application/json' }, { items });
  };
  const vouchers = async (...codes: string[]): Promise<number> =>
    (await api.query('select 1 from vouchers where code = any($1)', [codes])).length;

  it.each([
    ['a person with a client', 'items', client, CLIENT],
    ['a site', 'items-site', site, SITE],
  ])(
    'accepts a request while an item of %s is left, then refuses before any work',
    async (_who, name, subject, limit) => {
      const url = await startAfter(limit - 1, `${name}\n${subject}`);
      const [a, b, c] = ['a', 'b', 'c'].map((code) => `${code}-${name}`) as [string, string, string];
      const last = await bulk(url, [a, b]);
      expect([last.status, await vouchers(a, b)]).toEqual([200, 2]);
      expect(last.headers['ratelimit-policy']).toBe('"write";q=200;w=60');
      const key = randomUUID();
      for (const query of ['', '?dry_run=true']) {
        const refused = await bulk(url, [c], { key, query });
        expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })]);
        expect(refused.headers['ratelimit-policy']).toBe(`"${name}";q=${limit};w=60`);
        expect(refused.headers['ratelimit']).toBe(`"${name}";r=0;t=${refused.headers['retry-after']}`);
      }
      expect(await vouchers(c)).toBe(0);
      // Another client has items of its own, and a site has those of all clients.
      expect((await bulk(url, [`d-${name}`], { token: api.token() })).status).toBe(name === 'items' ? 200 : 429);
      // The key of a refused request is free.
      const later = await startAfter(0, `${name}\n${subject}`);
      expect([(await bulk(later, [c], { key })).status, await vouchers(c)]).toEqual([200, 1]);
    },
  );

  it('takes as many units as a request has items', async () => {
    const url = await startAfter(CLIENT - 3, `items\n${client}`);
    expect((await bulk(url, ['e-1', 'e-2'])).status).toBe(200);
    expect((await bulk(url, ['e-3'])).status).toBe(200);
    expect((await bulk(url, ['e-4'])).status).toBe(429);
    expect(await vouchers('e-1', 'e-2', 'e-3', 'e-4')).toBe(3);
  });
});
