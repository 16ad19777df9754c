import { Injectable, Logger } from '@nestjs/common';
import { capabilitySubject } from '@lyceum/contracts';
import type { CallingClient, CapabilityKind, Progress, Reply } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { NoResponders, Requests, refusal } from '@lyceum/messaging';
import { MetricsRegistry } from '@lyceum/platform';
import { CallMetrics } from './call.metrics.js';
import { idempotencyKeyOf } from './idempotency-key.policy.js';
import type { CallerContext } from './caller.context.js';
import { overflowingNumber } from './numbers.policy.js';

/** How long the owning service has. */
const DEADLINE_MS = 10_000;

/** Calls to one service at one time: a slow service must not take the gateway's memory from the others. */
export const BULKHEAD = 256;

/** Where a call goes: the newest version of what it is for, and the older ones that are there too. */
export interface Addressee {
  readonly name: string;
  readonly service: string;
  readonly version: string;
  readonly older: readonly Omit<Addressee, 'older'>[];
}

export interface Call {
  readonly kind: CapabilityKind;
  readonly addressee: Addressee;
  readonly input: Record<string, unknown>;
  readonly client: CallingClient;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Sends a call to the service that owns what it is for. */
@Injectable()
export class Calls {
  readonly #logger = new Logger(Calls.name);
  readonly #running = new Map<string, number>();
  readonly #metrics: CallMetrics;

  constructor(
    private readonly requests: Requests,
    metrics: MetricsRegistry,
  ) {
    this.#metrics = new CallMetrics(metrics.registry);
  }

  /** Never throws: whatever happens on the way is a reply with the code of an outcome. */
  async send(call: Call, exchange: Pick<CallerContext, 'site' | 'principal'>): Promise<Reply> {
    const { service, name } = call.addressee;
    const overflowing = overflowingNumber(call.input);
    if (overflowing !== undefined) return tooLarge(overflowing);
    const running = this.#running.get(service) ?? 0;
    if (running >= BULKHEAD) return unavailable('The service of this tool has too much to do');
    const done = this.#metrics.start(name);
    this.#running.set(service, running + 1);
    try {
      const reply = await this.#sendToSome(call, exchange);
      done(reply.ok ? 'ok' : reply.error.code);
      return reply;
    } catch (error) {
      const { aborted } = call.signal;
      done(aborted ? 'canceled' : error instanceof ApiError ? error.code : 'internal');
      // The client has gone away: nobody reads this.
      return aborted ? unavailable('The call was canceled') : this.#failed(name, error);
    } finally {
      this.#running.set(service, (this.#running.get(service) ?? 1) - 1);
    }
  }

  /**
   * To the newest version; while a release is rolled out or back its last instance may just have gone, and those of another
   * version answer. They check the scopes and the arguments by their own declaration.
   */
  async #sendToSome(call: Call, exchange: Pick<CallerContext, 'site' | 'principal'>): Promise<Reply> {
    const { addressee } = call;
    for (const version of [addressee, ...addressee.older]) {
      try {
        return await this.#sendTo(version, call, exchange);
      } catch (error) {
        if (!(error instanceof NoResponders)) throw error;
      }
    }
    throw new NoResponders();
  }

  #sendTo(
    addressee: Omit<Addressee, 'older'>,
    { kind, input, client, signal, onProgress }: Call,
    { site, principal }: Pick<CallerContext, 'site' | 'principal'>,
  ): Promise<Reply> {
    const idempotencyKey = idempotencyKeyOf(input);
    return this.requests.call(
      capabilitySubject(addressee.service, kind, addressee),
      { arguments: input, client },
      {
        site_id: site.site_id,
        principal,
        timeoutMs: DEADLINE_MS,
        signal,
        cancelable: true,
        onProgress,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      },
    );
  }

  #failed(name: string, error: unknown): Reply {
    if (error instanceof ApiError && error.code === 'temporarily_unavailable') return unavailable(error.message);
    if (error instanceof ApiError) return refusal(new ApiError(error.code, error.message));
    this.#logger.error({ msg: `the call of ${name} failed`, err: error });
    return refusal(new ApiError('internal', 'Something went wrong on our side'));
  }
}

function tooLarge(pointer: string): Reply {
  const errors = [{ pointer, code: 'too_large', detail: 'The number is too large' }] as const;
  return refusal(new ApiError('validation_failed', 'The arguments are not acceptable.', { errors }));
}

function unavailable(detail: string): Reply {
  return refusal(new ApiError('temporarily_unavailable', detail));
}
