import { Injectable } from '@nestjs/common';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsRepository } from './fan-outs.repository.js';
import type { FanOut } from './fan-out.js';
import type { ClaimedFanOut } from './fan-outs.queue.js';

/** A fan-out that has reached its last recipient. */
export interface EndedFanOut extends Pick<FanOut, 'site_id' | 'occasion'> {
  /** People who got a notification, a mail or both. */
  readonly recipients_count: number;
}

type OnEnd = (tx: EntityManager, fanOut: EndedFanOut) => Promise<void>;

@Injectable()
export class FanOutsService {
  readonly #onEnd: OnEnd[] = [];

  constructor(
    private readonly fanOuts: FanOutsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Runs work of other features in the transaction that ends a fan-out. */
  onEnd(work: OnEnd): void {
    this.#onEnd.push(work);
  }

  /** Enqueues a notification to an audience, once per occasion. Delivery starts soon after the transaction commits. */
  async enqueue(tx: EntityManager, fanOut: FanOut): Promise<void> {
    await this.fanOuts.add(tx, fanOut);
  }

  /** Delivers the next recipients of a claimed fan-out, at most `size`. */
  async deliver(fanOut: Job<ClaimedFanOut>, size: number): Promise<void> {
    await this.outbox.transaction(async (tx) => {
      const recipients_count = await this.fanOuts.batch(tx, fanOut, size);
      if (recipients_count === undefined) return;
      const { site_id, occasion } = fanOut;
      for (const work of this.#onEnd) await work(tx, { site_id, occasion, recipients_count });
    });
  }

  /** Ends a batch of fan-outs that are too old to deliver, and returns their number. */
  async endOld(size: number): Promise<number> {
    return this.fanOuts.endOld(size);
  }

  /** Removes a batch of old fan-outs and returns their number. */
  async sweep(size: number): Promise<number> {
    return this.fanOuts.sweep(size);
  }
}
