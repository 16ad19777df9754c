import { inspect } from 'node:util';
import { Injectable } from '@nestjs/common';
import { deadLetterStream, deadLetterSubject } from '@lyceum/contracts';
import { MetricsRegistry } from '@lyceum/platform';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import prom from 'prom-client';
import { MessagingSettings } from '../connection/configuration.js';
import { LIMITS } from '../connection/limits.js';
import { MissingResources } from '../connection/missing-resources.js';
import { Nats } from '../connection/nats.js';
import { observeStream } from '../connection/observed-stream.js';

/** NATS headers of a dead letter; its body is the original body. */
export const DEAD_LETTER_HEADERS = {
  subject: 'Lyceum-Subject',
  error: 'Lyceum-Error',
  event: 'Lyceum-Event-Id',
  deliveries: 'Lyceum-Deliveries',
} as const;

export interface DeadLetter {
  /** Name of the consumer, without the service. */
  readonly reader: string;
  /** Subject of the original message. */
  readonly subject: string;
  readonly body: Uint8Array;
  /** Undefined when the body cannot be parsed. */
  readonly eventId: string | undefined;
  /** Equal for the same message of the stream, so that it is stored once. */
  readonly key: string;
  readonly deliveries: number;
  readonly error: unknown;
}

const ERROR_LENGTH = 1_000;

@Injectable()
export class DeadLetters {
  readonly #nats: Nats;
  readonly #service: string;

  constructor(nats: Nats, settings: MessagingSettings, metrics: MetricsRegistry) {
    this.#nats = nats;
    this.#service = settings.service;
    const missing = new MissingResources(metrics.registry);
    const gauge: prom.Gauge = new prom.Gauge({
      name: 'dead_letters',
      help: 'Events in the dead-letter stream of this service',
      registers: [metrics.registry],
      collect: async (): Promise<void> => {
        // Without a response the last value stays.
        const stored = await observeStream(nats, missing, deadLetterStream(settings.service));
        if (stored !== undefined) gauge.set(stored);
      },
    });
  }

  /** Resolves when the stream has stored the letter. On a rejection the message must not be discarded. */
  async put(letter: DeadLetter): Promise<void> {
    const connection = this.#nats.connection;
    if (connection === undefined) throw new Error('NATS is not connected');
    const written = headers();
    written.set(DEAD_LETTER_HEADERS.subject, letter.subject);
    written.set(DEAD_LETTER_HEADERS.error, describe(letter.error));
    written.set(DEAD_LETTER_HEADERS.deliveries, String(letter.deliveries));
    if (letter.eventId !== undefined) written.set(DEAD_LETTER_HEADERS.event, letter.eventId);
    await jetstream(connection, { timeout: LIMITS.jetStreamTimeout }).publish(
      deadLetterSubject(this.#service, letter.reader),
      letter.body,
      { msgID: `${this.#service}:${letter.reader}:${letter.key}`, headers: written },
    );
  }
}

/** The message of an error and its causes, on one line. */
export function describe(error: unknown): string {
  const parts: string[] = [];
  for (let current = error; current !== undefined && parts.length < 5;) {
    parts.push(current instanceof Error ? `${current.name}: ${current.message}` : inspect(current, { depth: 1 }));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('; ').replaceAll(/\s+/g, ' ').slice(0, ERROR_LENGTH);
}
