import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Nats } from '@lyceum/messaging';
import { z } from 'zod';

/** Core subject without storage: a lost message only relaxes the limit for a moment. */
const SUBJECT = 'broadcast.mcp-gateway.usage.v1';
const INTERVAL_MS = 1_000;

/** Keys per message, far below NATS's limit of a megabyte. */
const MAX_KEYS = 5_000;

const usageSchema = z.object({ from: z.string(), usage: z.array(z.tuple([z.string().max(300), z.int().positive()])) });

type Connection = Awaited<ReturnType<Nats['ready']>>;

/** Publishes this replica's message counts to the other replicas, and receives theirs. */
@Injectable()
export class UsageExchange implements OnApplicationShutdown {
  readonly #logger = new Logger(UsageExchange.name);
  readonly #replica = randomUUID();
  readonly #listeners: ((key: string, count: number) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #subscribed: Connection | undefined;
  #pending = new Map<string, number>();

  constructor(private readonly nats: Nats) {
    nats.onConnect(() => void this.#listen());
    if (nats.connected) void this.#listen();
    this.#timer = setInterval(() => void this.#flush(), INTERVAL_MS).unref();
  }

  onUsage(fn: (key: string, count: number) => void): void {
    this.#listeners.push(fn);
  }

  count(key: string): void {
    const count = this.#pending.get(key);
    if (count !== undefined || this.#pending.size < MAX_KEYS) this.#pending.set(key, (count ?? 0) + 1);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** The client resubscribes after a reconnect; a closed connection is replaced. */
  async #listen(): Promise<void> {
    const connection = await this.nats.ready();
    if (this.#subscribed === connection) return;
    this.#subscribed = connection;
    connection.subscribe(SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.#receive(message.string());
        else this.#logger.error({ msg: 'the message counts of other replicas cannot be received', err: error });
      },
    });
  }

  async #flush(): Promise<void> {
    if (this.#pending.size === 0 || !this.nats.connected) return;
    const usage = [...this.#pending];
    this.#pending = new Map();
    try {
      const connection = await this.nats.ready();
      connection.publish(SUBJECT, JSON.stringify({ from: this.#replica, usage }));
    } catch (error) {
      this.#logger.warn({ msg: 'the message counts could not be published', err: error });
    }
  }

  #receive(text: string): void {
    let received: z.infer<typeof usageSchema>;
    try {
      received = usageSchema.parse(JSON.parse(text));
    } catch (error) {
      this.#logger.warn({ msg: 'the message counts of another replica are invalid', err: error });
      return;
    }
    if (received.from === this.#replica) return;
    for (const [key, count] of received.usage) for (const listener of this.#listeners) listener(key, count);
  }
}
