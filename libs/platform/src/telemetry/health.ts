import { Logger } from '@nestjs/common';
import prom from 'prom-client';
import { errorMessage } from './error-message.js';
import type { MetricsRegistry } from './metrics.js';

export interface HealthCheck {
  /** Unique in the service, for instance `database`. */
  readonly name: string;
  /** Throws or rejects while the service cannot work. */
  ready(): Promise<void> | void;
}

/** `status` of every check by its name. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ready' | 'not_ready'>>;
  /** Why each failing check fails. Absent while none does. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Default of `READINESS_TIMEOUT_MS`. */
export const READINESS_TIMEOUT_MS = 1_000;
/** A service that starts becomes ready within a moment, so a failure is cached for less time. */
const CACHED_MS = { ready: 1_000, notReady: 100 } as const;

/**
 * Readiness of this replica: every check passes and no shutdown has begun. Checks run concurrently with a time limit
 * each; the result is cached for a second, or a tenth of it after a failure, so that probes are cheap.
 */
export class HealthRegistry {
  readonly #logger = new Logger(HealthRegistry.name);
  readonly #checks = new Map<string, HealthCheck>();
  readonly #failing = new Map<string, string>();
  #phase: 'starting' | 'serving' | 'draining' = 'starting';
  #response: { until: number; result: Promise<Readiness> } | undefined;

  /** @param timeLimitMs of one check */
  constructor(private readonly timeLimitMs = READINESS_TIMEOUT_MS) {}

  add(check: HealthCheck): void {
    if (this.#checks.has(check.name)) throw new Error(`The health check "${check.name}" already exists`);
    this.#checks.set(check.name, check);
    this.#response = undefined;
  }

  /** Called by the service: `/readyz` runs the checks from now on. */
  started(): void {
    this.#phase = 'serving';
  }

  /** Called by the service: `/readyz` fails from now on. */
  draining(): void {
    this.#phase = 'draining';
  }

  async readiness(): Promise<Readiness> {
    if (this.#phase !== 'serving') return { ready: false, checks: { [this.#phase]: 'not_ready' } };
    if (this.#response === undefined || performance.now() > this.#response.until) this.#response = this.#asked();
    return this.#response.result;
  }

  #asked(): { until: number; result: Promise<Readiness> } {
    const asked = { until: performance.now() + CACHED_MS.ready, result: this.#ask() };
    void asked.result.then(({ ready }) => {
      if (!ready) asked.until = performance.now() + CACHED_MS.notReady;
    });
    return asked;
  }

  async #ask(): Promise<Readiness> {
    const results = await Promise.all(
      [...this.#checks.values()].map(async (check) => [check.name, await this.#faultOf(check)] as const),
    );
    const reasons = results.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault] as const]));
    return {
      ready: reasons.length === 0,
      checks: Object.fromEntries(results.map(([name, fault]) => [name, fault === undefined ? 'ready' : 'not_ready'])),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    };
  }

  /** Undefined when the check passes. */
  async #faultOf(check: HealthCheck): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.timeLimitMs} ms`)), this.timeLimitMs);
    });
    try {
      await Promise.race([(async () => check.ready())(), late]);
      if (this.#failing.delete(check.name)) this.#logger.log(`${check.name} is ready again`);
      return undefined;
    } catch (error) {
      const reason = errorMessage(error);
      // Once per reason, not once per probe.
      if (this.#failing.get(check.name) !== reason) this.#logger.warn(`${check.name} is not ready: ${reason}`);
      this.#failing.set(check.name, reason);
      return reason;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A scrape waits at most this long for the checks; then it has the last result. A slow check must not fail it. */
const SCRAPE_WAIT_MS = 500;

/** A scrape runs the checks, with the same cache, because a service without probes needs the figure too. */
export function measureReadiness(health: HealthRegistry, { registry }: MetricsRegistry): void {
  new prom.Gauge({
    name: 'service_ready',
    help: '1 while /readyz of this process responds with 200',
    registers: [registry],
    async collect() {
      const checked = health.readiness().then(({ ready }) => this.set(ready ? 1 : 0));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SCRAPE_WAIT_MS)));
      await Promise.race([checked, late]);
      clearTimeout(timer);
    },
  });
}
