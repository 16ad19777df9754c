import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@lyceum/contracts';
import { DATABASES, type StackService } from '@lyceum/local';
import { onDatabase } from '../load/data/database.ts';
import type { ScaleStack } from '../scale/scale-stack.ts';

/** Numbers from 0 to 1, the same ones for each seed. */
export type Random = () => number;

/** The time of a fault with its consequences, in milliseconds since 1970. */
export interface FaultWindow {
  readonly fault: string;
  readonly from: number;
  readonly to: number;
}

interface Fault {
  readonly name: string;
  readonly happen: (downMs: number) => Promise<void>;
}

/** Clients reconnect and queues drain after the last part is ready again. */
const GRACE_MS = 10_000;
const LONGEST_DOWN_MS = 3_000;
const PAUSES_MS = [4_000, 14_000] as const;

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One replica of each service that no fault ends: its memory is measured over the whole time. */
export function sparedReplicas(scale: ScaleStack, random: Random): StackService[] {
  return SERVICES.map((name) => scale.replicas(name)[random() < 0.5 ? 0 : 1]);
}

/** Breaks parts of the stack at random until it is stopped, one after the other. */
export class Faults {
  readonly windows: FaultWindow[] = [];
  readonly #random: Random;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(scale: ScaleStack, spared: readonly StackService[], random: Random) {
    this.#random = random;
    this.#running = this.#run(faultsOf(scale, spared));
    // The one who stops the faults gets the error.
    this.#running.catch(() => undefined);
  }

  /** Returns when the last fault is over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(faults: readonly Fault[]): Promise<void> {
    const { signal } = this.#stopping;
    const between = (least: number, most: number): number => least + this.#random() * (most - least);
    for (;;) {
      await sleep(between(...PAUSES_MS), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const { name, happen } = faults[Math.floor(this.#random() * faults.length)]!;
      const from = Date.now();
      // Requests that fail meanwhile are explained before the end is known.
      const open = this.windows.push({ fault: name, from, to: Infinity }) - 1;
      await happen(between(0, LONGEST_DOWN_MS));
      this.windows[open] = { fault: name, from, to: Date.now() + GRACE_MS };
    }
  }
}

function faultsOf({ stack }: ScaleStack, spared: readonly StackService[]): Fault[] {
  const mortal = SERVICES.flatMap((name) => stack.services.filter((one) => one.name === name && !spared.includes(one)));
  const between = (end: () => Promise<void>, start: () => Promise<void>) => async (downMs: number) => {
    await end();
    await sleep(downMs);
    await start();
  };
  return [
    ...mortal.flatMap((one) => [
      {
        name: `SIGKILL of ${one.name} ${one.replica}`,
        happen: between(
          () => one.kill(),
          () => one.start(),
        ),
      },
      {
        name: `SIGTERM of ${one.name} ${one.replica}`,
        happen: between(
          () => one.halt(),
          () => one.start(),
        ),
      },
    ]),
    {
      name: 'restart of NATS',
      happen: between(
        () => stack.halt('nats'),
        () => stack.start('nats'),
      ),
    },
    {
      name: 'SIGKILL of NATS',
      happen: between(
        () => stack.kill('nats'),
        () => stack.start('nats'),
      ),
    },
    ...Object.values(DATABASES).map((database) => ({
      name: `cut of all connections to the database ${database}`,
      happen: () => cutConnections(stack.postgres!.adminUrl, new URL(stack.databaseUrl(database)).pathname.slice(1)),
    })),
  ];
}

async function cutConnections(adminUrl: string, database: string): Promise<void> {
  await onDatabase(adminUrl, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]),
  );
}
