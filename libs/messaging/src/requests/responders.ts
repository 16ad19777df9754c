import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { callerCheck, cancelSubject } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import {
  Lifecycle,
  MetricsRegistry,
  ServesRequests,
  databaseError,
  runInTrace,
  runUntilAborted,
} from '@lyceum/platform';
import { Svcm } from '@nats-io/services';
import type { Service, ServiceMsg } from '@nats-io/services';
import type { NatsConnection } from '@nats-io/transport-node';
import prom from 'prom-client';
import { actAsPrincipal, actAsProgram } from '../connection/actor.js';
import { atMost, pause } from '../connection/backoff.js';
import { isSigned } from '../connection/call-signature.js';
import { MessagingSettings } from '../connection/configuration.js';
import { Limiter } from '../connection/limiter.js';
import { LIMITS } from '../connection/limits.js';
import { readAccount, readCaller, readMetadata, readTrace } from '../connection/message-headers.js';
import type { Caller, HandlerContext, RequestMetadata } from '../connection/message-headers.js';
import { Nats } from '../connection/nats.js';
import { encodeReply, internal, refusal } from './reply.js';
import { RunningRequests } from './running-request.js';
import type { RunningRequest } from './running-request.js';

type Handler = (body: unknown, caller: HandlerContext) => Promise<unknown>;
type CommandHandler = (body: unknown) => Promise<unknown>;
/** Verifies the caller of one message, and returns the work for that caller. */
type Work = (message: ServiceMsg) => (metadata: RequestMetadata, running: RunningRequest) => Promise<unknown>;

/** Version of this service in the NATS services protocol. */
const PROTOCOL_VERSION = '1.0.0';

/** Subject prefix of tool calls, which act for a principal. */
const TOOLS = 'tools.';

/** Serves requests: one NATS service per process, one endpoint per subject, queue group = service. */
@ServesRequests()
@Injectable()
export class Responders implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(Responders.name);
  readonly #nats: Nats;
  readonly #settings: MessagingSettings;
  readonly #handlers = new Map<string, Work>();
  readonly #limiter = new Limiter({ running: LIMITS.handlersRunning, waiting: LIMITS.requestsWaiting });
  readonly #running = new RunningRequests();
  readonly #cancellations = new WeakMap<NatsConnection, Set<string>>();
  readonly #answered: prom.Counter<'subject' | 'outcome'>;
  readonly #duration: prom.Histogram<'subject'>;
  readonly #stop = new AbortController();
  readonly #opened = Promise.withResolvers<void>();
  readonly #lifecycle: Lifecycle;
  #open = false;
  #left: Promise<unknown> | undefined;
  #joined: { connection: NatsConnection; service: Service; subjects: Set<string> } | undefined;
  #joining: Promise<void> = Promise.resolve();

  constructor(nats: Nats, settings: MessagingSettings, metrics: MetricsRegistry, lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
    lifecycle.stopping.addEventListener('abort', () => void this.#leave(), { once: true });
    this.#nats = nats;
    this.#settings = settings;
    const registers = [metrics.registry];
    this.#answered = new prom.Counter({
      name: 'nats_answers_total',
      help: 'Requests over NATS, by result',
      labelNames: ['subject', 'outcome'],
      registers,
    });
    this.#duration = new prom.Histogram({
      name: 'nats_answer_duration_seconds',
      help: 'Time from the arrival of a request over NATS to its reply',
      labelNames: ['subject'],
      registers,
    });
    nats.onConnect(() => this.#join());
  }

  add(subject: string, handler: Handler): void {
    this.#add(subject, (message) => {
      const caller = this.#callerOf(message);
      // Only the gateway signs requests, and it sends tool calls.
      if (caller.principal !== null) actAsPrincipal(caller.principal, 'tool');
      return (metadata, { signal, progress }) => handler(parse(message), { ...metadata, ...caller, signal, progress });
    });
  }

  /** A command comes from a program and acts for no person. Its body names the site. */
  addCommand(subject: string, handler: CommandHandler): void {
    this.#add(subject, (message) => {
      actAsProgram(readAccount(message.headers));
      return () => handler(parse(message));
    });
  }

  #add(subject: string, work: Work): void {
    if (this.#handlers.has(subject)) throw new Error(`${subject} has two handlers`);
    this.#handlers.set(subject, work);
    if (this.#open) this.#join();
  }

  /** Starts here because the handlers' dependencies are ready only now. */
  onApplicationBootstrap(): void {
    this.#open = true;
    this.#join();
    this.#opened.resolve();
  }

  /** Resolves when all handlers added so far are subscribed, if a connection exists. */
  async listening(): Promise<void> {
    await this.#opened.promise;
    await this.#joining;
  }

  /** Waits for the running requests as long as a shutdown waits for work. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#leave();
    await this.#lifecycle.inTime(this.#limiter.idle());
  }

  /** Takes no new requests when the shutdown begins, because the other replicas do. */
  #leave(): Promise<unknown> {
    this.#open = false;
    this.#stop.abort();
    // A closed connection has no subscriptions.
    this.#left ??= atMost(
      LIMITS.connectionDrain,
      this.#joined?.service.stop().catch(() => undefined),
    );
    return this.#left;
  }

  #join(): void {
    this.#joining = this.#joining
      .then(() => this.#register())
      .catch((error: unknown) =>
        this.#logger.error({ msg: 'the handlers could not be registered with NATS', err: error }),
      );
  }

  /**
   * The client resubscribes after a reconnect. A new connection, or a service that a refused subscription ended, needs
   * a new service.
   */
  async #register(): Promise<void> {
    const connection = this.#nats.connection;
    if (!this.#open || connection === undefined || this.#handlers.size === 0) return;
    if (this.#joined?.connection !== connection || this.#joined.service.isStopped) {
      const service = await new Svcm(connection).add({
        name: this.#settings.service,
        version: PROTOCOL_VERSION,
        queue: this.#settings.service,
      });
      this.#joined = { connection, service, subjects: new Set() };
      void service.stopped.then((error) => this.#rejoin(service, error));
    }
    const { service, subjects } = this.#joined;
    for (const [subject, handler] of this.#handlers) {
      if (subjects.has(subject)) continue;
      subjects.add(subject);
      this.#subscribeToCancellations(connection, cancelSubject(subject));
      const isFromCaller = callerCheck(this.#settings.service, subject);
      service.addEndpoint(endpointName(subject), {
        subject,
        handler: (error, message) => {
          if (error !== null) return;
          const { reply, headers } = message;
          if (isFromCaller({ reply, account: readAccount(headers) })) {
            this.#receive(connection, subject, handler, message);
          } else this.#ignore(subject, message);
        },
      });
    }
  }

  /** Every instance subscribes, because the request may run at any of them. */
  #subscribeToCancellations(connection: NatsConnection, subject: string): void {
    const subjects = this.#cancellations.get(connection) ?? new Set();
    this.#cancellations.set(connection, subjects);
    if (subjects.has(subject)) return;
    subjects.add(subject);
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) this.#running.cancel(message.string());
      },
    });
  }

  async #rejoin(service: Service, error: Error | null): Promise<void> {
    if (!this.#open || this.#joined?.service !== service || error === null) return;
    this.#logger.error({ msg: 'requests are not served: NATS ended a subscription', err: error });
    await pause(LIMITS.setupRetryMax, this.#stop.signal);
    this.#join();
  }

  #receive(connection: NatsConnection, subject: string, handler: Work, message: ServiceMsg): void {
    const arrived = performance.now();
    const running = this.#running.open(message);
    const work = async (): Promise<void> => {
      const reply = await runInTrace(readTrace(message.headers), `answer ${subject}`, () =>
        this.#response(handler, message, running),
      );
      running.end();
      this.#reply(connection, subject, message, reply);
      this.#duration.observe({ subject }, (performance.now() - arrived) / 1_000);
    };
    if (this.#limiter.run(work)) return;
    running.end();
    const busy = new ApiError('temporarily_unavailable', 'Too many requests are waiting here.');
    this.#reply(connection, subject, message, refusal(busy));
  }

  /**
   * Ignores a message that a stream delivered, and a request whose reply would go elsewhere: otherwise this service
   * would publish where the sender may not.
   */
  #ignore(subject: string, { reply }: ServiceMsg): void {
    this.#answered.inc({ subject, outcome: 'refused' });
    this.#logger.error({
      msg: 'a request was refused: its reply goes to a service that may not send it',
      subject,
      reply,
    });
  }

  /** The verified caller. A tool call without a valid signature is refused, also an anonymous one. */
  #callerOf({ subject, headers, data }: ServiceMsg): Caller {
    const signed = isSigned(this.#settings.trustedKeys, subject, headers, data);
    if (!signed && subject.startsWith(TOOLS)) {
      throw new ApiError('forbidden', 'The call is not signed by a key that this service trusts.');
    }
    return readCaller(headers, signed);
  }

  async #response(work: Work, message: ServiceMsg, running: RunningRequest): Promise<Reply> {
    const { signal } = running;
    try {
      signal.throwIfAborted();
      const handle = work(message);
      const metadata = readMetadata(message.headers);
      if (Date.now() > metadata.deadline) {
        throw new ApiError('temporarily_unavailable', 'The deadline of the request has passed.');
      }
      running.expireAt(metadata.deadline);
      const result = await runUntilAborted(signal, async () => handle(metadata, running));
      return { ok: true, result: result ?? null };
    } catch (error) {
      const apiError = error instanceof ApiError ? error : databaseError(error);
      if (apiError !== undefined) return refusal(apiError);
      this.#logger.error({ msg: 'a request over NATS failed', subject: message.subject, err: error });
      return refusal(internal());
    }
  }

  #reply(connection: NatsConnection, subject: string, message: ServiceMsg, reply: Reply): void {
    const room = (connection.info?.max_payload ?? LIMITS.defaultMaxPayload) - LIMITS.headerRoom;
    const { outcome, bytes, fault } = encodeReply(reply, room);
    if (fault !== undefined) this.#logger.error({ msg: `the reply to ${subject} could not be sent`, err: fault });
    this.#nats.outgoing.add(() => {
      try {
        message.respond(bytes);
        this.#answered.inc({ subject, outcome });
      } catch (error) {
        // The connection closed meanwhile, so the caller cannot be notified.
        this.#answered.inc({ subject, outcome: 'lost' });
        this.#logger.warn({ msg: 'a reply could not be sent', subject, err: error });
      }
    });
  }
}

function parse(message: ServiceMsg): unknown {
  try {
    return message.json();
  } catch (cause) {
    throw new ApiError('invalid_request', 'The body is not JSON.', { cause });
  }
}

/** Endpoint names take letters, digits, `-` and `_`. */
function endpointName(subject: string): string {
  return subject.split('.').slice(2).join('-');
}
