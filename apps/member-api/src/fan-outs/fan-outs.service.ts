import { Injectable } from '@nestjs/common';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { isPublishedNow, isRecent } from '#src/notifications/kinds.policy.js';
import type { StateChange } from '#src/notifications/state-changes.js';
import { FanOutsRepository } from './fan-outs.repository.js';
import type { EndedFanOut, FanOut, FanOutKey } from './fan-out.js';
import type { ClaimedFanOut } from './fan-outs.queue.js';

/** The event of a product or a service. Its aggregate is the audience. */
interface PublishedEvent {
  readonly aggregate_id: string;
  readonly epoch: number;
  readonly aggregate_version: number;
  readonly occurred_at: string;
  readonly data: { readonly site_id: string; readonly state: string };
}

type Holders =
  | { readonly audience: 'product_holders'; readonly kind: 'product_granted' }
  | { readonly audience: 'service_holders'; readonly kind: 'consulting_granted' };

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

  /**
   * Removes fan-outs that wait or run, in the transaction of an event. Their occasions can be enqueued again. Members
   * who were reached before are not notified again.
   */
  async withdraw(tx: EntityManager, fanOuts: readonly FanOutKey[]): Promise<void> {
    await this.fanOuts.remove(tx, fanOuts);
  }

  /** Notifies those who have a draft that one of these changes publishes. */
  async notifyHolders(
    tx: EntityManager,
    changes: readonly StateChange<{ readonly state: string }, PublishedEvent>[],
    holders: Holders,
  ): Promise<void> {
    for (const { before, event } of changes) {
      const { aggregate_id, epoch, aggregate_version, occurred_at, data } = event;
      if (!isPublishedNow(before, data.state) || !isRecent(occurred_at, Date.now())) continue;
      await this.enqueue(tx, {
        ...holders,
        audience_id: aggregate_id,
        site_id: data.site_id,
        occasion: `${holders.audience}:${aggregate_id}:${epoch}:${aggregate_version}`,
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }

  /** Delivers the next recipients of a claimed fan-out, at most `size`. */
  async deliver(fanOut: Job<ClaimedFanOut>, size: number): Promise<void> {
    await this.outbox.transaction(async (tx) => {
      const recipients_count = await this.fanOuts.batch(tx, fanOut, size);
      if (recipients_count === undefined) return;
      const { site_id, occasion } = fanOut;
      await this.#ended(tx, { site_id, occasion, recipients_count });
    });
  }

  /** Ends a batch of fan-outs that are too old to deliver, and returns their number. */
  async endOld(size: number): Promise<number> {
    return this.outbox.transaction(async (tx) => {
      const ended = await this.fanOuts.endOld(tx, size);
      for (const fanOut of ended) await this.#ended(tx, fanOut);
      return ended.length;
    });
  }

  /** Removes a batch of old fan-outs and returns their number. */
  async sweep(size: number): Promise<number> {
    return this.fanOuts.sweep(size);
  }

  async #ended(tx: EntityManager, fanOut: EndedFanOut): Promise<void> {
    for (const work of this.#onEnd) await work(tx, fanOut);
  }
}
