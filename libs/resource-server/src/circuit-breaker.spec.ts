import { CircuitBreaker } from './circuit-breaker.js';
import { LIMITS } from './configuration.js';

describe('the circuit breaker', () => {
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

  it('stays closed below the limit of faults in a row', () => {
    fail(LIMITS.breakerFaults - 1);
    expect(breaker.enter()).toBe(0);
  });

  it('opens at the limit, and says how long to wait', () => {
    fail(LIMITS.breakerFaults);
    expect(breaker.enter()).toBe(LIMITS.breakerOpen);
    now = LIMITS.breakerOpen - 1;
    expect(breaker.enter()).toBe(1);
  });

  it('forgets faults after a success', () => {
    fail(LIMITS.breakerFaults - 1);
    breaker.succeeded();
    fail(LIMITS.breakerFaults - 1);
    expect(breaker.enter()).toBe(0);
  });

  it('lets one try after the wait, and only one', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    expect(breaker.enter()).toBe(0);
    expect(breaker.enter()).toBeGreaterThan(0);
  });

  it('closes when the try succeeds', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    breaker.enter();
    breaker.succeeded();
    expect(breaker.enter()).toBe(0);
    expect(breaker.enter()).toBe(0);
  });

  it('opens again when the try fails', () => {
    fail(LIMITS.breakerFaults);
    now = LIMITS.breakerOpen;
    breaker.enter();
    breaker.failed();
    expect(breaker.enter()).toBe(LIMITS.breakerOpen);
  });
});
