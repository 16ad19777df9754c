import { randomUUID } from 'node:crypto';
import { startIdentity } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { LimitsModule } from './limits.module.js';
import { LimitsRepository } from './limits.repository.js';
import { LimitsService } from './limits.service.js';

describe('Limits', () => {
  let identity: TestIdentity;
  let limits: LimitsService;
  let replica: LimitsService;
  // A window so long that none ends within a test.
  const limit = { name: 'a limit of this test', hits: 3, windowSeconds: 1_000_000_000 };

  beforeAll(async () => {
    identity = await startIdentity(LimitsModule);
    limits = identity.context.get(LimitsService);
    replica = new LimitsService(identity.context.get(LimitsRepository));
  });
  afterAll(() => identity.stop());

  const times = async (count: number, work: () => Promise<void>): Promise<void> => {
    for (let time = 0; time < count; time += 1) await work();
  };

  it('let the last hit pass and not the next, of one caller and not of another, at every replica', async () => {
    const [who, other] = [randomUUID(), randomUUID()];
    await times(limit.hits, () => limits.take(limit, who));
    for (const one of [limits, replica])
      await expect(one.take(limit, who)).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfter: expect.any(Number),
      });
    await limits.take(limit, other);
    await limits.take({ ...limit, name: 'another limit' }, who);
  });

  it('let as many hits at once pass as one by one', async () => {
    const who = randomUUID();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => limits.take(limit, who)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit.hits);
  });

  it('do not count what is given back, and never give more than was taken', async () => {
    const who = randomUUID();
    await limits.giveBack(limit, who);
    await times(10, async () => {
      await limits.take(limit, who);
      await limits.giveBack(limit, who);
    });
    await limits.giveBack(limit, who);
    await times(limit.hits, () => limits.take(limit, who));
    await expect(limits.take(limit, who)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('hold whoever failed too often, from the last failure of the limit on', async () => {
    const [who, other] = [randomUUID(), randomUUID()];
    await times(limit.hits - 1, () => limits.fail(limit, who));
    expect(() => limits.refuseHeld(limit, who)).not.toThrow();
    await limits.fail(limit, who);
    expect(() => limits.refuseHeld(limit, who)).toThrow('more than 3 requests');
    expect(() => limits.refuseHeld(limit, other)).not.toThrow();
    // Another replica learns of it with the first failure that it sees itself.
    expect(() => replica.refuseHeld(limit, who)).not.toThrow();
    await replica.fail(limit, who);
    expect(() => replica.refuseHeld(limit, who)).toThrow('more than 3 requests');
  });

  it('let go at the end of the window', async () => {
    const who = randomUUID();
    const short = { name: 'a short limit', hits: 1, windowSeconds: 1 };
    await limits.fail(short, who);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(() => limits.refuseHeld(short, who)).not.toThrow();
    await limits.take(short, who);
  });
});
