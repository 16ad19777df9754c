import type { MetricsRegistry } from '@lyceum/platform';
import { Histogram } from 'prom-client';

/** Outcomes that the objective of tools reads. Their counts begin with 0 (ADR 117). */
const OUTCOMES = ['ok', 'internal', 'temporarily_unavailable'];

/** Only known tools and error codes become labels. */
export class CallMetrics {
  readonly #duration: Histogram<'tool' | 'outcome'>;
  readonly #ended: (outcome: string) => void;

  constructor(metrics: MetricsRegistry) {
    this.#ended = metrics.counter('tool_calls_total', 'Tool calls, with those that are not sent', 'outcome', OUTCOMES);
    this.#duration = new Histogram({
      name: 'tool_call_duration_seconds',
      help: 'Duration of tool calls in the owning service',
      labelNames: ['tool', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics.registry],
    });
  }

  /** Counts a call that is not sent, because its service has too much to do. */
  notSent(): void {
    this.#ended('temporarily_unavailable');
  }

  /** Returns the function that ends the measurement of a call. */
  start(tool: string): (outcome: string) => void {
    const end = this.#duration.startTimer({ tool });
    return (outcome) => {
      end({ outcome });
      this.#ended(outcome);
    };
  }
}
