import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** Only known tools and error codes become labels. */
export class CallMetrics {
  readonly #duration: Histogram<'tool' | 'outcome'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'tool_call_duration_seconds',
      help: 'Duration of tool calls in the owning service',
      labelNames: ['tool', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
  }

  start(tool: string): (outcome: string) => void {
    const end = this.#duration.startTimer({ tool });
    return (outcome) => void end({ outcome });
  }
}
