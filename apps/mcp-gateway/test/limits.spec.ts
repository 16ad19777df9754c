import { RATES } from '#src/limits/rate-limits.service.js';
import { Gateway, OTHER, eventually, newSource, send } from './gateway.js';
import type { Sent } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ replicas: 2 });
});

afterAll(() => gateway?.close());

const list = (sent: Sent, replica = 0) =>
  send(gateway.replicas[replica]?.url ?? '', 'modern', { method: 'tools/list' }, sent);

/** As many as there are, at a time. */
async function spend(count: number, sent: () => Sent, replica = 0): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await list(sent(), replica)).status));
}

describe('the limits', () => {
  it('let an anonymous source send its messages, and then no more', async () => {
    const source = newSource();
    expect(new Set(await spend(RATES.anonymousSource, () => ({ source })))).toEqual(new Set([200]));
    const refused = await list({ source });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(120);
    // Neither another source nor a caller with a token pays for it, nor the source at another site.
    expect((await list({ source: newSource() })).status).toBe(200);
    expect((await list({ source, token: 'member.shared' })).status).toBe(200);
    expect((await list({ source, host: OTHER.host })).status).toBe(200);
  });

  it('count a person with an application, wherever the messages come from', async () => {
    const sent = () => ({ token: 'member.busy', source: newSource() });
    expect(new Set(await spend(RATES.clientAndPerson, sent))).toEqual(new Set([200]));
    expect((await list(sent())).status).toBe(429);
    expect((await list({ token: 'member.other' })).status).toBe(200);
  });

  it('hold for all replicas together', async () => {
    const source = newSource();
    await spend(RATES.anonymousSource / 2, () => ({ source }), 0);
    await spend(RATES.anonymousSource / 2, () => ({ source }), 1);
    for (const replica of [0, 1]) {
      await eventually(async () => (await list({ source }, replica)).status === 429);
      expect((await list({ source }, replica)).status).toBe(429);
    }
  });

  it('come after the sign-in: a refused token is told so, not to wait', async () => {
    const source = newSource();
    await spend(RATES.anonymousSource, () => ({ source }));
    expect((await list({ source, token: 'expired' })).status).toBe(401);
  });
});
