import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import prom from 'prom-client';

export type ResourceKind = 'stream' | 'consumer' | 'bucket';

const NAME = 'messaging_resource_missing';
const CODES: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];

/** Reports in a metric the resources that the bootstrap step has to create. Each registry has one such gauge. */
export class MissingResources {
  readonly #gauge: prom.Gauge<'kind' | 'name'>;

  constructor(registry: prom.Registry) {
    const existing = registry.getSingleMetric(NAME) as prom.Gauge<'kind' | 'name'> | undefined;
    this.#gauge =
      existing ??
      new prom.Gauge({
        name: NAME,
        help: '1 while a stream, consumer or bucket that this process uses does not exist',
        labelNames: ['kind', 'name'],
        registers: [registry],
      });
  }

  present(kind: ResourceKind, name: string): void {
    this.#gauge.set({ kind, name }, 0);
  }

  /** Records a failure; only a missing resource changes the metric. */
  failed(kind: ResourceKind, name: string, error: unknown): void {
    if (isMissing(error)) this.#gauge.set({ kind, name }, 1);
  }
}

/** Returns true when the stream or consumer does not exist. The client wraps the status in its own error. */
export function isMissing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return CODES.includes(error.code);
  if (error instanceof RequestError) return error.isNoResponders();
  return error instanceof Error && error.cause !== undefined && isMissing(error.cause);
}
