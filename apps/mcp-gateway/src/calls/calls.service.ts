import { Injectable, Logger } from '@nestjs/common';
import { capabilitySubject } from '@lyceum/contracts';
import type { CallingClient, CapabilityKind, Progress, Reply } from '@lyceum/contracts';
import { ApiError, summaryOf } from '@lyceum/errors';
import { NoResponders, NotDelivered, Requests, refusal } from '@lyceum/messaging';
import { MetricsRegistry } from '@lyceum/platform';
import { CallMetrics } from './call.metrics.js';
import { idempotencyKeyOf } from './idempotency-key.policy.js';
import type { CallerContext } from './caller.context.js';
import { overflowingNumber } from './numbers.policy.js';
import { TRY_AGAIN } from './tool-result.policy.js';

/** Injectable settings. */
export class CallSettings {
  /** @param timeoutMs Time limit of the owning service. */
  constructor(readonly timeoutMs: number) {}
}

/** Concurrent calls per service: a slow service must not use up the gateway's memory. */
export const BULKHEAD = 256;

/** Target of a call: the newest version, and the older versions that are still running. */
export interface CallTarget {
  readonly name: string;
  readonly service: string;
  readonly version: string;
  readonly older: readonly Omit<CallTarget, 'older'>[];
}

export interface Call {
  readonly kind: CapabilityKind;
  readonly target: CallTarget;
  readonly input: Record<string, unknown>;
  readonly client: CallingClient;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Sends calls to the service that owns the capability. */
@Injectable()
export class Calls {
  readonly #logger = new Logger(Calls.name);
  readonly #running = new Map<string, number>();
  readonly #metrics: CallMetrics;

  constructor(
    private readonly requests: Requests,
    private readonly settings: CallSettings,
    metrics: MetricsRegistry,
  ) {
    this.#metrics = new CallMetrics(metrics);
  }

  /** Never throws: every failure becomes a reply with an error code. */
  async send(call: Call, caller: Pick<CallerContext, 'site' | 'principal'>): Promise<Reply> {
    const { service, name } = call.target;
    const overflowing = overflowingNumber(call.input);
    if (overflowing !== undefined) return tooLarge(overflowing);
    const running = this.#running.get(service) ?? 0;
    if (running >= BULKHEAD) {
      this.#metrics.notSent();
      return unavailable('The service of this tool has too much to do', TRY_AGAIN);
    }
    const done = this.#metrics.start(name);
    this.#running.set(service, running + 1);
    try {
      const reply = await this.#sendToSome(call, caller);
      done(reply.ok ? 'ok' : reply.error.code);
      return reply;
    } catch (error) {
      const { aborted } = call.signal;
      done(aborted ? 'canceled' : error instanceof ApiError ? error.code : 'internal');
      // The client disconnected, so the reply is not sent.
      return aborted ? unavailable('The call was canceled') : this.#failed(name, error);
    } finally {
      this.#running.set(service, (this.#running.get(service) ?? 1) - 1);
    }
  }

  /**
   * Sends to the newest version. During a rollout its last instance may just have stopped; then another version handles
   * the call and checks scopes and arguments by its own declaration.
   */
  async #sendToSome(call: Call, caller: Pick<CallerContext, 'site' | 'principal'>): Promise<Reply> {
    const { target } = call;
    for (const version of [target, ...target.older]) {
      try {
        return await this.#sendTo(version, call, caller);
      } catch (error) {
        if (!(error instanceof NoResponders)) throw error;
      }
    }
    throw new NoResponders();
  }

  #sendTo(
    target: Omit<CallTarget, 'older'>,
    { kind, input, client, signal, onProgress }: Call,
    { site, principal }: Pick<CallerContext, 'site' | 'principal'>,
  ): Promise<Reply> {
    const idempotencyKey = idempotencyKeyOf(input);
    return this.requests.call(
      capabilitySubject(target.service, kind, target),
      { arguments: input, client },
      {
        site_id: site.site_id,
        principal,
        timeoutMs: this.settings.timeoutMs,
        signal,
        cancelable: true,
        onProgress,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      },
    );
  }

  #failed(name: string, error: unknown): Reply {
    if (error instanceof NotDelivered) return unavailable(error.message, TRY_AGAIN);
    if (error instanceof ApiError && error.code === 'temporarily_unavailable') return unavailable(error.message);
    if (error instanceof ApiError) return refusal(new ApiError(error.code, error.message));
    this.#logger.error({ msg: `the call of ${name} failed`, err: error });
    return refusal(new ApiError('internal', 'Something went wrong on our side'));
  }
}

function tooLarge(pointer: string): Reply {
  const errors = [{ pointer, code: 'too_large', detail: 'The number is too large' }] as const;
  return refusal(new ApiError('validation_failed', summaryOf(errors, 'An argument is too large'), { errors }));
}

/** @param hint for a call that was not sent; `toolResult` has that of another one */
function unavailable(detail: string, hint?: string): Reply {
  return refusal(new ApiError('temporarily_unavailable', detail, hint === undefined ? {} : { hint }));
}
