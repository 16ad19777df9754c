import prom from 'prom-client';
import { droppedLogLines } from './log-destination.js';

/** Seconds. Dense in the usual range of responses, sparse beyond it. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Classes of statuses. Objectives read their counter, in which each class begins with 0 (ADR 117). */
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The Prometheus registry of one service: process metrics and one histogram of HTTP requests. Labels need few values:
 * the route's pattern, never a path, a site or an id.
 */
export class MetricsRegistry {
  readonly registry = new prom.Registry();
  readonly #requests: prom.Histogram<'method' | 'route' | 'status'>;
  readonly #responded: (statusClass: string) => void;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    prom.collectDefaultMetrics({ register: this.registry });
    this.#requests = new prom.Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers: [this.registry],
    });
    this.#responded = this.counter(
      'http_server_responses_total',
      'Ended requests by class of status',
      'class',
      CLASSES,
    );
    new prom.Counter({
      name: 'log_lines_dropped_total',
      help: 'Log lines that could not be written',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(droppedLogLines());
      },
    });
  }

  /**
   * A counter with one label of few values. The returned function counts one; it writes to a map, and a scrape makes
   * the series. Those of `values` exist from the start.
   */
  counter(name: string, help: string, label: string, values: readonly string[]): (value: string) => void {
    const counts = new Map(values.map((value) => [value, 0]));
    new prom.Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, count] of counts) this.inc({ [label]: value }, count);
      },
    });
    return (value) => void counts.set(value, (counts.get(value) ?? 0) + 1);
  }

  /** `route` is the pattern, or `unmatched`. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.#responded(`${Math.trunc(status / 100)}xx`);
    this.#requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds);
  }
}
