import { CircuitBreaker } from './circuit-breaker.js';
import { LIMITS } from './configuration.js';

describe('CircuitBreaker', () => {
  let now = 0;
  let breaker: CircuitBreaker;
  const fail = (times: number): void => {
    for (let i = 0; i < times; i += 1) {
      breaker.enter();
      breaker.failed();
    }
  };

  beforeEach(() => {
    now = 0;
    breaker = new CircuitBreaker(() => now);
  });

  it('stays closed below the limit of consecutive failures', () => {
    fail(LIMITS.breakerFaults - 1);
    expect(breaker.enter()).toBe(0);
  });

  it('opens at the limit and returns the time to wait', () => {
    fail(LIMITS.breakerFaults);
    expect(breaker.enter()).toBe(LIMITS.breakerOpen);
    now = LIMITS.breakerOpen - 1;
    expect(breaker.enter()).toBe(1);
  });

  it('resets the count after a success', () => {
    fail(LIMITS.breakerFaults - 1);
    breaker.succeeded();
    fail(LIMITS.breakerFaults - 1);
    expect(breaker.enter()).toBe(0);
  });

  it('lets exactly one probe through after the wait', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    expect(breaker.enter()).toBe(0);
    expect(breaker.enter()).toBeGreaterThan(0);
  });

  it('closes when the probe succeeds', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    breaker.enter();
    breaker.succeeded();
    expect(breaker.enter()).toBe(0);
    expect(breaker.enter()).toBe(0);
  });

  it('reopens when the probe fails', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    breaker.enter();
    breaker.failed();
    expect(breaker.enter()).toBe(LIMITS.breakerOpen);
  });
});
