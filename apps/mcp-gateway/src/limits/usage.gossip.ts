import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Nats } from '@lyceum/messaging';
import { z } from 'zod';

/** Core subject, kept nowhere: a lost telling makes the limit a little wider for a moment. */
const SUBJECT = 'broadcast.mcp-gateway.usage.v1';
const INTERVAL_MS = 1_000;

/** Keys in one telling: stays far below the megabyte of a NATS message. */
const MAX_KEYS = 5_000;

const usageSchema = z.object({ from: z.string(), usage: z.array(z.tuple([z.string().max(300), z.int().positive()])) });

type Connection = Awaited<ReturnType<Nats['ready']>>;

/** What the replicas of the gateway tell each other: how many messages of whom they have let through since the last time. */
@Injectable()
export class UsageGossip implements OnApplicationShutdown {
  readonly #logger = new Logger(UsageGossip.name);
  readonly #replica = randomUUID();
  readonly #listeners: ((key: string, count: number) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #heard: Connection | undefined;
  #untold = new Map<string, number>();

  constructor(private readonly nats: Nats) {
    nats.onConnect(() => void this.#listen());
    if (nats.connected) void this.#listen();
    this.#timer = setInterval(() => void this.#flush(), INTERVAL_MS).unref();
  }

  onUsage(fn: (key: string, count: number) => void): void {
    this.#listeners.push(fn);
  }

  tell(key: string): void {
    const count = this.#untold.get(key);
    if (count !== undefined || this.#untold.size < MAX_KEYS) this.#untold.set(key, (count ?? 0) + 1);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** The client subscribes again by itself after a reconnect; a connection that was closed for good is replaced. */
  async #listen(): Promise<void> {
    const connection = await this.nats.ready();
    if (this.#heard === connection) return;
    this.#heard = connection;
    connection.subscribe(SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.#hear(message.string());
        else this.#logger.error({ msg: 'other replicas cannot be heard', err: error });
      },
    });
  }

  async #flush(): Promise<void> {
    if (this.#untold.size === 0 || !this.nats.connected) return;
    const usage = [...this.#untold];
    this.#untold = new Map();
    try {
      const connection = await this.nats.ready();
      connection.publish(SUBJECT, JSON.stringify({ from: this.#replica, usage }));
    } catch (error) {
      this.#logger.warn({ msg: 'other replicas could not be told', err: error });
    }
  }

  #hear(text: string): void {
    let told: z.infer<typeof usageSchema>;
    try {
      told = usageSchema.parse(JSON.parse(text));
    } catch (error) {
      this.#logger.warn({ msg: 'a telling is not understood', err: error });
      return;
    }
    if (told.from === this.#replica) return;
    for (const [key, count] of told.usage) for (const listener of this.#listeners) listener(key, count);
  }
}
