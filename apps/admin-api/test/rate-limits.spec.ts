import { QUOTAS } from '#src/limits/rate-limit.policy.js';
import { send } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** Enough of a minute for what follows, so that no new quota begins in the middle of it. */
async function earlyInAMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

describe('the limits of a client at a site', () => {
  it('are one for all replicas: exactly the quota gets through, then 429 until the minute ends', async () => {
    await earlyInAMinute();
    const replica = await api.replica();
    const authorization = `Bearer ${await api.token('courses:write')}`;
    const path = '/api/v1/courses/019ab3c0-0000-7000-8000-000000000000/publish';
    const [site] = api.sites;
    const post = (url: string) => send(url, 'POST', path, { host: site.host, authorization });
    const counts = new Map<number, number>();
    for (let round = 0; round < 26; round += 1) {
      const urls = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? api.service.url : replica.url));
      for (const { status } of await Promise.all(urls.map(post))) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect(counts).toEqual(
      new Map([
        [404, QUOTAS.write],
        [429, 260 - QUOTAS.write],
      ]),
    );
    const refused = await post(replica.url);
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429 });
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers['ratelimit']).toBe(`"write";r=0;t=${wait}`);
    // Reads have a quota of their own, and so has the other site.
    expect((await api.send('GET', '/api/v1/courses')).status).toBe(200);
    expect((await api.send('POST', path, { site: api.sites[1] })).status).toBe(404);
  }, 90_000);

  it('count what is left', async () => {
    const left = async () =>
      Number(/r=(\d+)/.exec((await api.send('GET', '/api/v1/courses')).headers['ratelimit'] ?? '')?.[1]);
    await earlyInAMinute();
    const first = await left();
    expect(await left()).toBe(first - 1);
  }, 90_000);
});
