import {
  HostNotPermitted,
  Lifecycle,
  OutboundConnections,
  OutboundNetwork,
  errorMessage,
  permittedAddress,
  sendOutbound,
} from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { WebhookEndpointService } from '#src/webhook-endpoints/webhook-endpoint.service.js';
import { signaturesOf } from '#src/webhook-endpoints/webhook-secret.policy.js';
import { DELIVERY_LIMITS, askedPause, hasSucceeded } from './webhook-delivery.policy.js';
import type { Attempt } from './webhook-delivery.policy.js';
import { bodyOf } from './webhook-message.js';
import { storedResponse } from './webhook-response.policy.js';
import type { Batch, DueDelivery } from './webhook-queue.repository.js';

/** The host of a batch, whose name is resolved once. */
interface Target {
  readonly url: URL;
  readonly address: string;
}

type Response = Omit<Attempt, 'ms'>;

/** One text for private addresses and for names without an address: it does not describe the internal network. */
const NOT_PERMITTED = 'The host must resolve to public addresses only';

/** Sends deliveries as Standard Webhooks describes them. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  readonly #log = new Logger(WebhookSender.name);
  readonly #connections = new OutboundConnections();

  constructor(
    private readonly network: OutboundNetwork,
    private readonly endpoints: WebhookEndpointService,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationShutdown(): void {
    this.#connections.close();
  }

  /**
   * Sends deliveries of a batch, some at the same time, and starts none after a failure, the time of a turn or the
   * beginning of a shutdown: the others stay due. So does a delivery whose attempt the end of a shutdown interrupts.
   * Rejects never: an attempt says why no response came.
   */
  async send(batch: Batch): Promise<Map<DueDelivery, Attempt>> {
    const attempts = new Map<DueDelivery, Attempt>();
    if (batch.deliveries.length === 0) return attempts;
    const secrets = this.endpoints.secretsOf(batch, new Date());
    const target = this.#resolve(batch);
    const { stopping, late } = this.lifecycle;
    const end = performance.now() + DELIVERY_LIMITS.turnMs;
    const waiting = batch.deliveries.values();
    let failed = false;
    const sendSome = async (): Promise<void> => {
      for (const delivery of waiting) {
        const attempt = await this.#attempt(target, delivery, secrets);
        if (late.aborted && attempt.status === null) return;
        attempts.set(delivery, attempt);
        failed ||= !hasSucceeded(attempt);
        if (failed || stopping.aborted || performance.now() >= end) return;
      }
    };
    await Promise.all(Array.from({ length: DELIVERY_LIMITS.perEndpoint }, sendSome));
    return attempts;
  }

  async #resolve({ site_id, id, url: text }: Batch): Promise<Target> {
    const url = new URL(text);
    try {
      return { url, address: await permittedAddress(this.network, url, this.#limit()) };
    } catch (error) {
      if (!(error instanceof HostNotPermitted)) throw error;
      this.#log.warn({ msg: 'webhooks were not sent', reason: error.message, site_id, webhook_endpoint_id: id });
      throw new Error(NOT_PERMITTED, { cause: error });
    }
  }

  async #attempt(resolving: Promise<Target>, delivery: DueDelivery, secrets: readonly string[]): Promise<Attempt> {
    const started = performance.now();
    const signal = this.#limit();
    const response = await resolving
      .then((target) => this.#post(target, signal, delivery, secrets))
      .catch((failure: unknown) => {
        const error = errorMessage(failure).slice(0, DELIVERY_LIMITS.errorLength);
        return { status: null, error, asked: null, body: null };
      });
    return { ...response, ms: Math.round(performance.now() - started) };
  }

  async #post(
    { url, address }: Target,
    signal: AbortSignal,
    delivery: DueDelivery,
    secrets: readonly string[],
  ): Promise<Response> {
    const { event_id: id } = delivery;
    const body = bodyOf(delivery);
    const timestamp = Math.floor(Date.now() / 1_000);
    const response = await sendOutbound(this.network, {
      url,
      address,
      connections: this.#connections,
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signaturesOf(secrets, { id, timestamp, body }),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'lyceum-webhooks',
      },
      body,
      signal,
    });
    try {
      const beginning = await readSome(response);
      const { statusCode: status = 0, headers: given } = response;
      const asked = askedPause(status, given['retry-after'], new Date());
      return { status, error: null, asked, body: storedResponse(beginning, secrets) };
    } finally {
      // Ends the connection of a response that was not read to its end. The others are kept.
      response.destroy();
    }
  }

  /** The time limit of an attempt. */
  #limit(): AbortSignal {
    return AbortSignal.any([AbortSignal.timeout(DELIVERY_LIMITS.attemptMs), this.lifecycle.late]);
  }
}

/** Reads the beginning of a body, so that a receiver of an honest size sees no broken connection. */
async function readSome(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > DELIVERY_LIMITS.responseBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, DELIVERY_LIMITS.responseBytes);
}
