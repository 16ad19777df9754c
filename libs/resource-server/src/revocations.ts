import { Injectable, Logger } from '@nestjs/common';
import { REVOCATION_SUBJECT, revocationSchema } from '@lyceum/contracts';
import type { Revocation } from '@lyceum/contracts';
import { Nats } from '@lyceum/messaging';

type Connection = Awaited<ReturnType<Nats['ready']>>;

type Message = Parameters<NonNullable<NonNullable<Parameters<Connection['subscribe']>[1]>['callback']>>[1];

/** False for messages of the server itself: a stream's delivery, or one that expects a reply. */
function isBroadcast({ reply, headers }: Message): boolean {
  return (reply === undefined || reply === '') && headers?.has('Nats-Stream') !== true;
}

/**
 * Subscribes to auth's revocation broadcasts. `listening` is true from the server's confirmation of the subscription to
 * the loss of the connection. Outside of it a broadcast may be missed, so no result is cached.
 */
@Injectable()
export class Revocations {
  readonly #logger = new Logger(Revocations.name);
  readonly #nats: Nats;
  readonly #revoked: ((revocation: Revocation) => void)[] = [];
  readonly #gaps: (() => void)[] = [];
  #subscribed: Connection | undefined;
  #listening = false;

  constructor(nats: Nats) {
    this.#nats = nats;
    nats.onDisconnect(() => this.#interrupted());
    nats.onConnect(() => void this.#listen());
    if (nats.connected) void this.#listen();
  }

  get listening(): boolean {
    return this.#listening && this.#nats.connected;
  }

  onRevocation(fn: (revocation: Revocation) => void): void {
    this.#revoked.push(fn);
  }

  /** Called when broadcasts may have been missed. */
  onGap(fn: () => void): void {
    this.#gaps.push(fn);
  }

  async #listen(): Promise<void> {
    try {
      const connection = await this.#nats.ready();
      if (this.#subscribed !== connection) {
        this.#subscribed = connection;
        connection.subscribe(REVOCATION_SUBJECT, {
          callback: (error, message) => {
            if (error !== null) this.#broken(error);
            else if (isBroadcast(message)) this.#receive(message.string());
            else this.#logger.error({ msg: 'a revocation was refused: a stream or a request sent it' });
          },
        });
      }
      // The client resubscribes on a new connection; the round trip confirms the subscription.
      await connection.flush();
      this.#notifyGap();
      // A refused subscription is reported before the end of that round trip.
      this.#listening = this.#subscribed === connection;
    } catch {
      // The connection was lost during the round trip: the next one starts over.
      this.#interrupted();
    }
  }

  #receive(text: string): void {
    let revocation: Revocation;
    try {
      revocation = revocationSchema.parse(JSON.parse(text));
    } catch (error) {
      // The revoked subject is unknown, so the whole cache is cleared.
      this.#logger.error({ msg: 'a revocation is invalid', err: error });
      this.#notifyGap();
      return;
    }
    for (const fn of this.#revoked) fn(revocation);
  }

  /** The server refused or ended the subscription. */
  #broken(error: unknown): void {
    this.#logger.error({ msg: 'revocations cannot be received: introspection results are not cached', err: error });
    this.#subscribed = undefined;
    this.#interrupted();
  }

  #interrupted(): void {
    this.#listening = false;
    this.#notifyGap();
  }

  #notifyGap(): void {
    for (const fn of this.#gaps) fn();
  }
}
