import { LIMITS } from './configuration.js';

/** Opens after consecutive failures of auth; after a pause one probe request is let through. */
export class CircuitBreaker {
  readonly #now: () => number;
  #faults = 0;
  #openUntil = 0;
  #trying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds to wait, or 0 to proceed. After 0 the caller must call `succeeded` or `failed`. */
  enter(): number {
    if (this.#faults < LIMITS.breakerFaults) return 0;
    const remaining = this.#openUntil - this.#now();
    if (remaining > 0) return remaining;
    if (this.#trying) return LIMITS.breakerOpen;
    this.#trying = true;
    return 0;
  }

  succeeded(): void {
    this.#faults = 0;
    this.#trying = false;
  }

  failed(): void {
    this.#faults += 1;
    this.#trying = false;
    if (this.#faults >= LIMITS.breakerFaults) this.#openUntil = this.#now() + LIMITS.breakerOpen;
  }
}
