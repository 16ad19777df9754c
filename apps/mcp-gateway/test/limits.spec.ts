import { randomUUID } from 'node:crypto';
import { RateLimiter, sourceOf } from '@lyceum/rate-limit';
import { BearerAuthenticator } from '@lyceum/resource-server';
import { eventually } from '@lyceum/testing';
import { REFUSED_TOKENS, quotasOf } from '#src/limits/caller.policy.js';
import { MessageRates } from '#src/limits/rate-limits.service.js';
import { Gateway, OTHER, SITE, call, newSource, post, send } from './gateway.js';
import type { Sent } from './gateway.js';

/** Per minute, as in docs/tools.md. */
const [ANONYMOUS, CLIENT, PERSON, REFUSED] = [360, 100, 500, 60];

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ replicas: 2 });
});

afterAll(() => gateway?.close());

const list = (sent: Sent, replica = 0) =>
  send(gateway.replicas[replica]?.url ?? '', 'modern', { method: 'tools/list' }, sent);

/** The status of each of `count` messages, one after the other. */
async function statuses(count: number, sent: () => Sent): Promise<number[]> {
  const received: number[] = [];
  while (received.length < count) received.push((await list(sent())).status);
  return received;
}

const appOf = (replica: number) => {
  const app = gateway.replicas[replica]?.app;
  if (app === undefined) throw new Error(`Replica ${replica} does not run`);
  return app;
};

/** Takes the units that as many messages of the caller would take. */
async function spend(units: number, { token, source = '' }: Sent, replica = 0): Promise<void> {
  const app = appOf(replica);
  const principal =
    token === undefined
      ? null
      : await app.get(BearerAuthenticator).authenticate(['authorization', `Bearer ${token}`], SITE);
  const caller = { siteId: SITE.site_id, principal, ip: source };
  for (const { limit, subject } of quotasOf(app.get(MessageRates).limits, caller))
    await app.get(RateLimiter).take(limit, subject, units);
}

/** Takes the units that as many refused tokens of the source would take. */
async function spendRefused(units: number, source: string, replica = 0): Promise<void> {
  await appOf(replica).get(RateLimiter).take(REFUSED_TOKENS, sourceOf(source), units);
}

describe('the limits', () => {
  it('limits an anonymous source', async () => {
    const source = newSource();
    await spend(ANONYMOUS - 2, { source });
    expect(await statuses(2, () => ({ source }))).toEqual([200, 200]);
    const refused = await list({ source });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.body['detail']).toMatch(
      /^At most 360 messages are allowed in 60 seconds\. Try again in \d+ seconds$/,
    );
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toBe(`"anonymous";r=0;t=${wait}`);
    // The limit affects neither another source, nor a caller with a token, nor the source at another site.
    expect((await list({ source: newSource() })).status).toBe(200);
    expect((await list({ source, token: 'member.shared' })).status).toBe(200);
    expect((await list({ source, host: OTHER.host })).status).toBe(200);
  });

  it('shows the limits in each response', async () => {
    const sent = { token: 'member.shown' };
    for (const remaining of [CLIENT - 1, CLIENT - 2]) {
      const { headers } = await list(sent);
      expect(headers.get('ratelimit-policy')).toBe(`"client";q=${CLIENT};w=60`);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"client";r=${remaining};t=(60|5\\d)$`));
    }
  });

  it('counts messages that it refuses, as the others', async () => {
    const left = ({ headers }: { headers: Headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    const anonymous = { source: newSource() };
    const refusals = [
      [401, () => call(gateway.url, 'modern', 'list_courses', {}, anonymous)],
      [400, () => post(gateway.url, 'no JSON', anonymous)],
      [400, () => post(gateway.url, [], anonymous)],
      [400, () => list({ ...anonymous, headers: { 'mcp-method': 'tools/call' } })],
    ] as const;
    for (const [index, [status, refused]] of refusals.entries()) {
      const reply = await refused();
      expect([reply.status, left(reply)]).toEqual([status, String(ANONYMOUS - 1 - index)]);
    }
    const member = { token: `member.${randomUUID()}` };
    const forbidden = await call(gateway.url, 'modern', 'list_courses', {}, member);
    expect([forbidden.status, left(forbidden)]).toEqual([403, String(CLIENT - 1)]);
    expect(left(await list(member))).toBe(String(CLIENT - 2));
  });

  it('counts a person with a client across sources', async () => {
    const sent = () => ({ token: 'member.busy', source: newSource() });
    await spend(CLIENT - 2, sent());
    expect(await statuses(3, sent)).toEqual([200, 200, 429]);
    expect((await list({ token: 'member.other' })).status).toBe(200);
  });

  it('counts the requests of all replicas together', async () => {
    const source = newSource();
    for (const replica of [0, 1]) await spend(ANONYMOUS / 2 - 1, { source }, replica);
    for (const status of [200, 429])
      for (const replica of [0, 1]) expect((await list({ source }, replica)).status).toBe(status);
  });

  it('keeps the count of a person when another client of theirs calls', async () => {
    const person = randomUUID();
    const tokenOf = (client: number) => `member.${client}.${person}`;
    for (let client = 1; client < PERSON / CLIENT; client += 1) await spend(CLIENT, { token: tokenOf(client) });
    await spend(CLIENT - 2, { token: tokenOf(0) });
    const sent = () => ({ token: `member.another.${person}`, source: newSource() });
    expect(await statuses(3, sent)).toEqual([200, 200, 429]);
    expect((await list({ token: tokenOf(0) })).status).toBe(429);
  });

  it('returns 401 for a refused token above the limit, because limits apply after authentication', async () => {
    const source = newSource();
    await spend(ANONYMOUS, { source });
    expect((await list({ source })).status).toBe(429);
    expect((await list({ source, token: 'expired' })).status).toBe(401);
  });
});

describe('refused tokens', () => {
  it('introspects refused tokens up to the limit of their source, then returns 429', async () => {
    const source = newSource();
    let guesses = 0;
    const guess = () => ({ source, token: `guess-${(guesses += 1)}` });
    await spendRefused(REFUSED - 2, source);
    expect(await statuses(2, guess)).toEqual([401, 401]);
    const lookUps = gateway.introspection.requests.length;
    const refused = await list(guess());
    expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(gateway.introspection.requests.length).toBe(lookUps);
    // Another source, and anonymous messages of this one, are unaffected.
    expect((await list({ source: newSource(), token: 'guess' })).status).toBe(401);
    expect((await list({ source })).status).toBe(200);
  });

  it('accepts a valid token of a source with refused tokens, even after the cache expired', async () => {
    const sent = { source: newSource(), token: 'revocable.office' };
    const guess = { ...sent, token: 'no.token' };
    expect((await list(sent)).status).toBe(200);
    await spendRefused(REFUSED - 1, sent.source);
    expect(await statuses(2, () => guess)).toEqual([401, 429]);
    const lookUps = gateway.introspection.requests.length;
    await gateway.auth.revokeGrant('revocable');
    await eventually(async () => {
      expect((await list(sent)).status).toBe(200);
      return gateway.introspection.requests.length > lookUps;
    });
  });

  it('counts the refused tokens of all replicas together', async () => {
    const source = newSource();
    for (const replica of [0, 1]) await spendRefused(REFUSED / 2 - 1, source, replica);
    for (const replica of [0, 1]) expect((await list({ source, token: 'no.token' }, replica)).status).toBe(401);
    for (const replica of [0, 1]) {
      await eventually(async () => (await list({ source, token: 'no.token' }, replica)).status === 429);
      expect((await list({ source, token: 'no.token' }, replica)).status).toBe(429);
    }
  });
});

describe('without NATS', () => {
  it('applies the limits to each replica alone', async () => {
    const other = await Gateway.start({
      replicas: 2,
      environment: { ANONYMOUS_MESSAGES: '5', SHARED_VALUE_TIMEOUT_MS: '1000' },
    });
    try {
      await other.nats.kill();
      const source = newSource();
      for (const { url } of other.replicas) {
        const received: number[] = [];
        while (received.length < 6) {
          received.push((await send(url, 'modern', { method: 'tools/list' }, { source })).status);
        }
        expect(received).toEqual([200, 200, 200, 200, 200, 429]);
      }
    } finally {
      await other.close();
    }
  });
});

describe('the rate of anonymous sources', () => {
  it('refuses a source with 429 after as many refused messages', async () => {
    const source = newSource();
    const refused = () => call(gateway.url, 'modern', 'list_courses', {}, { source });
    await spend(ANONYMOUS - 1, { source });
    expect([(await refused()).status, (await refused()).status]).toEqual([401, 429]);
    expect((await post(gateway.url, 'no JSON', { source })).status).toBe(429);
  });

  it('takes the rate of anonymous sources from the environment', async () => {
    const other = await Gateway.start({ environment: { ANONYMOUS_MESSAGES: '5', ANONYMOUS_SECONDS: '5' } });
    try {
      const source = newSource();
      const listTools = () => send(other.url, 'modern', { method: 'tools/list' }, { source });
      for (let count = 0; count < 5; count += 1) expect((await listTools()).status).toBe(200);
      const refused = await listTools();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(5);
      await eventually(async () => (await listTools()).status === 200);
    } finally {
      await other.close();
    }
  });
});
