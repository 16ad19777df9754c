import { Logger } from '@nestjs/common';
import { HealthRegistry, measureReadiness } from './health.js';
import { MetricsRegistry } from './metrics.js';

function serving(timeLimitMs?: number): HealthRegistry {
  const health = new HealthRegistry(timeLimitMs);
  health.started();
  return health;
}

describe('HealthRegistry', () => {
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reports ready when every check passes', async () => {
    const health = serving();
    health.add({ name: 'one', ready: () => undefined });
    health.add({ name: 'two', ready: async () => undefined });
    expect(await health.readiness()).toEqual({ ready: true, checks: { one: 'ready', two: 'ready' } });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('reports not ready when one check %s', async (_case, ready) => {
    const health = serving();
    health.add({ name: 'good', ready: () => undefined });
    health.add({ name: 'bad', ready });
    expect(await health.readiness()).toEqual({
      ready: false,
      checks: { good: 'ready', bad: 'not_ready' },
      reasons: { bad: 'no' },
    });
  });

  it('reports not ready before the start and after the beginning of the shutdown', async () => {
    const health = new HealthRegistry();
    expect(await health.readiness()).toEqual({ ready: false, checks: { starting: 'not_ready' } });
    health.started();
    expect((await health.readiness()).ready).toBe(true);
    health.draining();
    expect(await health.readiness()).toEqual({ ready: false, checks: { draining: 'not_ready' } });
  });

  it.each([
    ['one second', undefined, 1_000],
    ['as long as set', 10_000, 10_000],
  ])('waits %s for a check', async (_limit, set, milliseconds) => {
    const health = serving(set);
    health.add({ name: 'hangs', ready: () => new Promise<void>(() => undefined) });
    let response: unknown;
    void health.readiness().then((readiness) => (response = readiness));
    await jest.advanceTimersByTimeAsync(milliseconds - 1);
    expect(response).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(response).toEqual({
      ready: false,
      checks: { hangs: 'not_ready' },
      reasons: { hangs: `no answer within ${milliseconds} ms` },
    });
  });

  it('runs the checks once a second, for any number of probes', async () => {
    const health = serving();
    let calls = 0;
    health.add({ name: 'counts', ready: () => void (calls += 1) });
    await Promise.all([health.readiness(), health.readiness()]);
    await jest.advanceTimersByTimeAsync(1_000);
    await health.readiness();
    expect(calls).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await health.readiness();
    expect(calls).toBe(2);
  });

  it('recovers a tenth of a second after a failure', async () => {
    const health = serving();
    let broken = true;
    health.add({
      name: 'mends',
      ready: () => {
        if (broken) throw new Error('no');
      },
    });
    expect((await health.readiness()).ready).toBe(false);
    broken = false;
    await jest.advanceTimersByTimeAsync(100);
    expect((await health.readiness()).ready).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await health.readiness()).toEqual({ ready: true, checks: { mends: 'ready' } });
  });

  it('rejects two checks of one name', () => {
    const health = serving();
    health.add({ name: 'one', ready: () => undefined });
    expect(() => health.add({ name: 'one', ready: () => undefined })).toThrow('"one"');
  });
});

describe('service_ready', () => {
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function measured(health: HealthRegistry): () => Promise<string> {
    const metrics = new MetricsRegistry('one');
    measureReadiness(health, metrics);
    return async () => (await metrics.registry.getSingleMetricAsString('service_ready')).split('\n').at(-1)!;
  }

  it('follows the checks at each scrape, without a probe', async () => {
    const health = serving();
    let broken = false;
    let calls = 0;
    health.add({
      name: 'database',
      ready: () => {
        calls += 1;
        if (broken) throw new Error('no');
      },
    });
    const scraped = measured(health);
    expect(await scraped()).toBe('service_ready{service="one"} 1');
    broken = true;
    expect(await scraped()).toBe('service_ready{service="one"} 1');
    expect(calls).toBe(1);
    await jest.advanceTimersByTimeAsync(1_001);
    expect(await scraped()).toBe('service_ready{service="one"} 0');
    expect(calls).toBe(2);
  });

  it('waits half a second for a slow check, and has its result at the next scrape', async () => {
    const health = serving(10_000);
    let ready: () => Promise<void> | void = () => undefined;
    health.add({ name: 'database', ready: () => ready() });
    const scraped = measured(health);
    expect(await scraped()).toBe('service_ready{service="one"} 1');
    ready = () => new Promise(() => undefined);
    await jest.advanceTimersByTimeAsync(1_001);
    let text: string | undefined;
    void scraped().then((first) => (text = first));
    await jest.advanceTimersByTimeAsync(499);
    expect(text).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(text).toBe('service_ready{service="one"} 1');
    await jest.advanceTimersByTimeAsync(9_500);
    void scraped().then((second) => (text = second));
    await jest.advanceTimersByTimeAsync(500);
    expect(text).toBe('service_ready{service="one"} 0');
  });

  it('reports 0 before the start and from the beginning of the shutdown', async () => {
    const health = new HealthRegistry();
    const scraped = measured(health);
    expect(await scraped()).toBe('service_ready{service="one"} 0');
    health.started();
    expect(await scraped()).toBe('service_ready{service="one"} 1');
    health.draining();
    expect(await scraped()).toBe('service_ready{service="one"} 0');
  });
});
