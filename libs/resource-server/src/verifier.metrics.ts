import { Injectable } from '@nestjs/common';
import { MetricsRegistry } from '@lyceum/platform';
import { Counter, Histogram } from 'prom-client';
import type { TokenIntrospection } from './token-introspection.js';

/** Labels are bound once, so that counting a cached result stays cheap. */
@Injectable()
export class VerifierMetrics {
  readonly #results: Record<TokenIntrospection['kind'], { inc(value?: number): void }>;
  readonly #cacheHits: Counter;
  readonly #latency: Histogram<'result'>;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    const results = new Counter({
      name: 'token_verdicts_total',
      help: 'Introspection results of bearer tokens',
      labelNames: ['verdict'],
      registers,
    });
    this.#results = {
      active: results.labels('active'),
      inactive: results.labels('inactive'),
      foreign: results.labels('foreign'),
      none: results.labels('none'),
    };
    // Alerts compare rates: each series exists before its first event.
    for (const result of Object.values(this.#results)) result.inc(0);
    this.#cacheHits = new Counter({
      name: 'token_verdict_cache_hits_total',
      help: 'Introspection results served from the cache',
      registers,
    });
    this.#latency = new Histogram({
      name: 'token_introspection_duration_seconds',
      help: 'Duration of introspection requests, including failed ones',
      labelNames: ['result'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.8],
      registers,
    });
  }

  introspected(kind: TokenIntrospection['kind']): void {
    this.#results[kind].inc();
  }

  cacheHit(): void {
    this.#cacheHits.inc();
  }

  /** Starts a measurement; call the returned function at its end. */
  introspection(): (result: 'answer' | 'fault') => void {
    const end = this.#latency.startTimer();
    return (result) => void end({ result });
  }
}
