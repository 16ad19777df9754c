import { QUOTAS, SHARE } from './rate-limit.policy.js';
import type { Lease, RateLimitRepository, Subject } from './rate-limit.repository.js';
import { RateLimits } from './rate-limit.service.js';

const MINUTE = 60_000;
const subject: Subject = { site_id: 's', client_id: 'c', kind: 'write' };

/** The table, in memory: what the statement does, one lease after the other. */
class Table {
  leases = 0;
  readonly #used = new Map<string, { minute: number; used: number }>();

  lease({ site_id, client_id, kind }: Subject, minute: number): Promise<Lease> {
    this.leases += 1;
    const key = `${site_id} ${client_id} ${kind}`;
    const known = this.#used.get(key);
    const used = known === undefined || known.minute < minute ? 0 : known.used;
    const quota = QUOTAS[kind];
    if (used >= quota) return Promise.resolve({ granted: 0, left: 0 });
    const granted = Math.max(1, Math.floor((quota - used) / SHARE));
    this.#used.set(key, { minute: Math.max(minute, known?.minute ?? 0), used: used + granted });
    return Promise.resolve({ granted, left: quota - used - granted });
  }
}

const limitsOn = (table: Table): RateLimits => new RateLimits(table as unknown as RateLimitRepository);

async function passed(tries: number, take: (index: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: tries }, (_, index) => take(index)));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

it('lets exactly the quota through, one by one or all at once', async () => {
  for (const kind of ['read', 'write'] as const) {
    const [one, other] = [limitsOn(new Table()), limitsOn(new Table())];
    let count = 0;
    for (let index = 0; index <= QUOTAS[kind]; index += 1)
      count += await passed(1, () => one.take({ ...subject, kind }, MINUTE));
    expect(count).toBe(QUOTAS[kind]);
    expect(await passed(QUOTAS[kind] + 50, () => other.take({ ...subject, kind }, MINUTE))).toBe(QUOTAS[kind]);
  }
});

it('is one quota for replicas that take turns', async () => {
  const table = new Table();
  const replicas = [limitsOn(table), limitsOn(table), limitsOn(table)];
  let count = 0;
  for (let index = 0; index < 3 * QUOTAS.write; index += 1) {
    count += await passed(1, async () => replicas[index % 3]?.take(subject, MINUTE));
  }
  expect(count).toBe(QUOTAS.write);
});

it('asks the table for one request in ten at most, and not at all once the quota is used up', async () => {
  const table = new Table();
  const limits = limitsOn(table);
  await passed(QUOTAS.read, () => limits.take({ ...subject, kind: 'read' }, MINUTE));
  expect(table.leases).toBeLessThanOrEqual(QUOTAS.read / 10);
  await passed(1, () => limits.take({ ...subject, kind: 'read' }, MINUTE));
  const { leases } = table;
  expect(await passed(100, () => limits.take({ ...subject, kind: 'read' }, MINUTE))).toBe(0);
  expect(table.leases).toBe(leases);
});

it('counts down, says when the quota is whole again, and begins anew then', async () => {
  const limits = limitsOn(new Table());
  expect(await limits.take(subject, 10 * MINUTE)).toEqual({ remaining: 199, reset: 60 });
  expect(await limits.take(subject, 11 * MINUTE - 1)).toEqual({ remaining: 198, reset: 1 });
  expect(await limits.take(subject, 11 * MINUTE)).toEqual({ remaining: 199, reset: 60 });
});

it('keeps clients, sites and kinds apart', async () => {
  const limits = limitsOn(new Table());
  await passed(QUOTAS.write, () => limits.take(subject, MINUTE));
  await expect(limits.take(subject, MINUTE)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
  for (const other of [{ client_id: 'd' }, { site_id: 't' }, { kind: 'read' as const }]) {
    expect((await limits.take({ ...subject, ...other }, MINUTE)).reset).toBe(60);
  }
});

it('a lease that failed is asked for again', async () => {
  const table = new Table();
  const lease = table.lease.bind(table);
  table.lease = () => Promise.reject(new Error('no database'));
  const limits = limitsOn(table);
  await expect(limits.take(subject, MINUTE)).rejects.toThrow('no database');
  table.lease = lease;
  expect(await limits.take(subject, MINUTE)).toEqual({ remaining: 199, reset: 60 });
});
