import { hash } from 'node:crypto';
import { ConventionApi, Description, SITES } from '@lyceum/collections/conventions';
import { surfaceOf } from '@lyceum/collections';
import { Open } from '@lyceum/resource-server';
import { buildDocument } from '@lyceum/rest';
import { send } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import { Controller, Get, Post } from '@nestjs/common';
import { CouponModule } from './coupons/coupon.module.js';
import { openGround } from './fixture.service.js';
import type { Ground } from './fixture.service.js';

@Open()
@Controller('open')
class OpenController {
  @Get()
  read(): string {
    return 'read';
  }

  @Post()
  write(): string {
    return 'written';
  }
}

const open = { ...CouponModule, controllers: [...(CouponModule.controllers ?? []), OpenController] };
const api = new ConventionApi(new Description(buildDocument(surfaceOf([CouponModule]))));
const SOURCE = '127.0.0.1';
/** As the document says: writes of an address in a minute. A replica gives the first 200 without asking. */
const [WRITES, UNSHARED] = [2_000, 200];

let ground: Ground;

beforeAll(async () => {
  ground = await openGround([CouponModule]);
});
afterAll(async () => {
  await api.close();
  await ground?.stop();
});

/** Starts a replica after the address has spent so many writes elsewhere. */
async function startAfter(spent: number): Promise<string> {
  const { url } = await ground.start([open]);
  await api.close();
  await api.open({ url, ...ground });
  const key = hash('sha256', `write-source\n${SOURCE}`, 'buffer');
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
