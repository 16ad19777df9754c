import { REQUEST_HEADERS, progressSchema } from '@lyceum/contracts';
import type { Progress } from '@lyceum/contracts';
import { InFlight } from '@lyceum/platform';
import { TimeoutError, createInbox, errors } from '@nats-io/transport-node';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Outgoing } from './outgoing.js';

export interface OutgoingRequest {
  readonly subject: string;
  readonly payload: string;
  readonly headers: MsgHdrs;
  /** Milliseconds. */
  readonly timeout: number;
  /** Stops waiting; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far the other side is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

interface Waiting {
  readonly subject: string;
  readonly onProgress: OutgoingRequest['onProgress'];
  readonly resolve: (reply: Msg) => void;
  readonly reject: (reason: unknown) => void;
}

/** Where the replies to the requests of one connection come: one subscription, and an address in it for each request. */
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

  /** Rejects with `TimeoutError`, `NoRespondersError`, what made the message unfit to be sent, or what `fail` was given. */
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

  /** Ends the waiting of all, for the replies will not come. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  /** The server did not take what was sent to the subject, and does not say which message it was. */
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
