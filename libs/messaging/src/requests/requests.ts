import { Injectable } from '@nestjs/common';
import { COMMAND_ERROR_CODES, cancelSubject, replySchema } from '@lyceum/contracts';
import type { CommandDefinition, Principal, Progress, Reply, RequestDefinition } from '@lyceum/contracts';
import { ApiError, isApiErrorCode, summaryOf } from '@lyceum/errors';
import { bodyErrors, receivedFieldErrors, uuidv7, withSpan } from '@lyceum/platform';
import { TimeoutError, errors } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { Responders } from './responders.js';
import { LIMITS } from '../connection/limits.js';
import { writeHeaders } from '../connection/message-headers.js';
import type { HandlerContext } from '../connection/message-headers.js';
import { Nats } from '../connection/nats.js';
import { MessagingSettings } from '../connection/configuration.js';
import { signCall } from '../connection/call-signature.js';
import { refusal } from './reply.js';
import { ReplyInbox } from './reply-inbox.js';

export interface CallOptions {
  readonly site_id: string;
  readonly principal?: Principal | null | undefined;
  /** Milliseconds; the handler does not start after them. */
  readonly timeoutMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Cancels the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** True to cancel the handler when the signal aborts. The permissions of the caller must allow it. */
  readonly cancelable?: boolean | undefined;
  /** Receives the progress reports. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The request was not delivered, so it has no effect. After other failures of the transport it may have one. */
export class NotDelivered extends ApiError {
  constructor(detail: string, cause?: unknown) {
    super('temporarily_unavailable', detail, { retryAfter: 1, cause });
  }
}

/** No instance subscribes to the subject, so another subject may be tried. */
export class NoResponders extends NotDelivered {
  constructor(cause?: unknown) {
    super('No instance of the service is available.', cause);
  }
}

const unavailable = (detail: string, cause?: unknown): ApiError =>
  new ApiError('temporarily_unavailable', detail, { retryAfter: 1, ...(cause === undefined ? {} : { cause }) });

/** Request and reply between services. Every failure of the transport is the error `temporarily_unavailable`. */
@Injectable()
export class Requests {
  readonly #nats: Nats;
  readonly #responders: Responders;
  readonly #settings: MessagingSettings;
  #replies: { connection: NatsConnection; box: ReplyInbox } | undefined;

  constructor(nats: Nats, responses: Responders, settings: MessagingSettings) {
    this.#nats = nats;
    this.#settings = settings;
    this.#responders = responses;
    // Pending replies belong to the lost connection: their callers need not wait for the timeout.
    nats.onDisconnect(() => this.#replies?.box.fail(unavailable('The connection was lost before the answer came.')));
    // A deployment error, reported to the caller immediately instead of at its deadline.
    nats.onRefusal((error) => this.#replies?.box.refuse(error.subject, error));
  }

  /** Sends a request of the contract and returns its parsed result; throws the error of the other service. */
  async request<D extends RequestDefinition>(
    definition: D,
    input: z.input<D['input']>,
    options: CallOptions,
  ): Promise<z.output<D['output']>> {
    const reply = await this.call(definition.subject, definition.input.parse(input), options);
    if (reply.ok) return definition.output.parse(reply.result) as z.output<D['output']>;
    throw toApiError(reply.error);
  }

  /** Sends any body to a subject. The reply contains the result or error; only transport failures throw. */
  call(subject: string, body: unknown, options: CallOptions): Promise<Reply> {
    return withSpan(`request ${subject}`, { 'messaging.system': 'nats', 'messaging.destination.name': subject }, () =>
      this.#exchange(subject, JSON.stringify(body ?? null), options),
    );
  }

  /** Handles a request of the contract: input and output are parsed with its schemas. */
  handle<D extends RequestDefinition>(
    definition: D,
    handler: (input: z.output<D['input']>, caller: HandlerContext) => Promise<z.input<D['output']>>,
  ): void {
    this.handleSubject(definition.subject, async (body, caller) =>
      definition.output.parse(await handler(inputOf(definition, body), caller)),
    );
  }

  /** Handles a command of the contract. An error has one of the codes that the contract lists. */
  handleCommand<D extends CommandDefinition>(
    definition: D,
    handler: (input: z.output<D['input']>) => Promise<unknown>,
  ): void {
    this.#responders.addCommand(definition.subject, async (body) => {
      const result = await handler(inputOf(definition, body)).catch(refuseByContract);
      return definition.output.parse(result);
    });
  }

  /** Handles a subject of this service. The reply is the handler's result or the `ApiError` that it throws. */
  handleSubject(subject: string, handler: (body: unknown, caller: HandlerContext) => Promise<unknown>): void {
    this.#responders.add(subject, handler);
  }

  /** Resolves when the handled subjects are subscribed to, so that they may be advertised. */
  listening(): Promise<void> {
    return this.#responders.listening();
  }

  async #exchange(subject: string, payload: string, options: CallOptions): Promise<Reply> {
    options.signal?.throwIfAborted();
    const connection = this.#nats.connection;
    if (connection === undefined) throw new NotDelivered('The message broker cannot be reached.');
    const timeout = options.timeoutMs ?? LIMITS.requestTimeout;
    if (timeout < 1) throw new NotDelivered('There is no time left for the request.');
    const call = options.cancelable === true ? uuidv7() : undefined;
    const { onProgress, signal } = options;
    const headers = writeHeaders({
      ...options,
      deadline: Date.now() + timeout,
      call,
      progress: onProgress !== undefined,
    });
    const { signingKey } = this.#settings;
    if (signingKey !== undefined) signCall(signingKey, subject, headers, payload);
    try {
      const question = { subject, payload, headers, timeout, signal, onProgress };
      const message = await this.#repliesTo(connection).ask(question);
      return inKnownCodes(replySchema.parse(JSON.parse(message.string())));
    } catch (error) {
      if (call !== undefined && options.signal?.aborted === true) cancel(connection, subject, call);
      throw asApiError(error);
    }
  }

  #repliesTo(connection: NatsConnection): ReplyInbox {
    if (this.#replies?.connection !== connection) {
      this.#replies = { connection, box: new ReplyInbox(connection, this.#nats.inboxPrefix, this.#nats.outgoing) };
    }
    return this.#replies.box;
  }
}

function inputOf<D extends RequestDefinition>({ input }: D, body: unknown): z.output<D['input']> {
  const parsed = input.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data as z.output<D['input']>;
  const fields = bodyErrors(parsed.error);
  throw new ApiError('validation_failed', summaryOf(fields, 'The request does not fit its schema'), { errors: fields });
}

/** A code that the contract does not list is an unexpected error of the handler. */
function refuseByContract(error: unknown): never {
  const codes: readonly string[] = COMMAND_ERROR_CODES;
  if (!(error instanceof ApiError) || codes.includes(error.code)) throw error;
  throw new Error(`A command was refused with ${error.code}`, { cause: error });
}

/** Cancels the handler. Without a connection its deadline does the same. */
function cancel(connection: NatsConnection, subject: string, call: string): void {
  if (!connection.isClosed()) connection.publish(cancelSubject(subject), call);
}

/** Maps transport errors to `ApiError`; returns any other error unchanged. */
function asApiError(error: unknown): unknown {
  if (error instanceof TimeoutError) return unavailable('The service did not respond in time.', error);
  if (error instanceof errors.NoRespondersError) return new NoResponders(error);
  if (error instanceof errors.InvalidArgumentError) {
    return new ApiError('payload_too_large', 'The request is larger than a message may be.', { cause: error });
  }
  if (error instanceof errors.ClosedConnectionError || error instanceof errors.DrainingConnectionError) {
    return new NotDelivered('This service is stopping.', error);
  }
  return error;
}

function toApiError({
  code,
  detail,
  errors = [],
  hint,
  retry_after: retryAfter,
}: Extract<Reply, { ok: false }>['error']): ApiError {
  return new ApiError(isApiErrorCode(code) ? code : 'internal', detail, {
    errors: receivedFieldErrors.safeParse(errors).data ?? [],
    ...(hint === undefined ? {} : { hint }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Maps unknown codes, which a newer release may send, to `internal`. */
function inKnownCodes(reply: Reply): Reply {
  return reply.ok ? reply : refusal(toApiError(reply.error));
}
