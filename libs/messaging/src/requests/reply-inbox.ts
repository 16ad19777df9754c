import { REQUEST_HEADERS, progressSchema } from '@lyceum/contracts';
import type { Progress } from '@lyceum/contracts';
import { InFlight } from '@lyceum/platform';
import { TimeoutError, createInbox, errors } from '@nats-io/transport-node';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Outgoing } from '../connection/outgoing.js';

export interface OutgoingRequest {
  readonly subject: string;
  readonly payload: string;
  readonly headers: MsgHdrs;
  /** Milliseconds. */
  readonly timeout: number;
  /** Cancels the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress reports. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

interface Waiting {
  readonly subject: string;
  readonly onProgress: OutgoingRequest['onProgress'];
  readonly resolve: (reply: Msg) => void;
  readonly reject: (reason: unknown) => void;
}

/** Receives the replies of one connection: one subscription, and one address in it per request. */
export class ReplyInbox {
  readonly #connection: NatsConnection;
  readonly #outgoing: Outgoing;
  readonly #inbox: string;
  readonly #waiting = new InFlight<Waiting>();
  #sequence = 0;

  constructor(connection: NatsConnection, inboxPrefix: string, outgoing: Outgoing) {
    this.#connection = connection;
    this.#outgoing = outgoing;
    this.#inbox = `${createInbox(inboxPrefix)}.`;
    connection.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => {
        if (error === null) this.#receive(message);
      },
    });
  }

  /**
   * Rejects with `TimeoutError`, `NoRespondersError`, the error of an invalid message, or the error passed to `fail`.
   */
  ask({ subject, payload, headers, timeout, signal, onProgress }: OutgoingRequest): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const address = `${this.#inbox}${(this.#sequence++).toString(36)}`;
      const end = (): void => {
        this.#waiting.remove(address);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        subject,
        onProgress,
        resolve: (reply) => {
          end();
          resolve(reply);
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      };
      const abort = (): void => waiting.reject(signal?.reason);
      const timer = setTimeout(() => waiting.reject(new TimeoutError()), timeout);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(address, waiting);
      this.#outgoing.add(() => {
        if (this.#waiting.get(address) === undefined) return;
        try {
          this.#connection.publish(subject, payload, { headers, reply: address });
        } catch (error) {
          waiting.reject(error);
        }
      });
    });
  }

  /** Rejects all pending requests: their replies will not arrive. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  /** Rejects the requests to a refused subject: the server does not name the message. */
  refuse(subject: string, error: Error): void {
    for (const waiting of this.#waiting.values()) if (waiting.subject === subject) waiting.reject(error);
  }

  #receive(message: Msg): void {
    const waiting = this.#waiting.get(message.subject);
    if (waiting === undefined) return;
    const { subject, onProgress, resolve, reject } = waiting;
    if (message.headers?.code === 503 && message.data.length === 0) reject(new errors.NoRespondersError(subject));
    else if (message.headers?.has(REQUEST_HEADERS.progress) !== true) resolve(message);
    else {
      const progress = progressSchema.safeParse(message.json());
      if (progress.success) onProgress?.(progress.data);
    }
  }
}
