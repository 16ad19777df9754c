import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { uuidOfId } from '#src/schema/global-id.js';
import { NotificationsRepository } from './notifications.repository.js';
import type { Marked, MarkedBatch, NewNotification } from './notifications.repository.js';

export type { NewNotification } from './notifications.repository.js';

/** No row has the nil UUID. A malformed id gets it, because the response has the unread count in any case. */
const uuidOf = (id: string): string => uuidOfId('Notification', id) ?? '00000000-0000-0000-0000-000000000000';
/** Marked in one transaction. A row lives on in two versions until it is vacuumed, so a batch is some megabytes. */
const MARK_BATCH = 5_000;

export type MarkedAll = Pick<MarkedBatch, 'marked' | 'unread'>;

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationsRepository) {}

  /** Tells members what they want to be told, each occasion once, in the transaction of what happened. */
  async notify(tx: EntityManager, made: readonly NewNotification[]): Promise<void> {
    if (made.length > 0) await this.notifications.insert(tx, made);
  }

  /** Somebody else's notification, one of another site and a missing one look alike. */
  async markRead(principal: Principal, id: string): Promise<Marked> {
    return this.notifications.markRead(principal, uuidOf(id));
  }

  /** What `markRead` would do. */
  async foreseeRead(principal: Principal, id: string): Promise<Marked> {
    return this.notifications.foreseeRead(principal, uuidOf(id));
  }

  /** Marks all that came up to the instant, or up to now, a batch at a time. */
  async markAllRead(principal: Principal, before: string | null): Promise<MarkedAll> {
    let until = before;
    for (let sum = 0; ;) {
      const { marked, unread, until: bound } = await this.notifications.markBatch(principal, until, MARK_BATCH);
      sum += marked;
      if (marked < MARK_BATCH) return { marked: sum, unread };
      until = bound;
    }
  }

  /** What `markAllRead` would do. */
  async foreseeAllRead(principal: Principal, before: string | null): Promise<MarkedAll> {
    return this.notifications.foreseeAllRead(principal, before);
  }

  /** Removes a batch of those that are older than so many days; says how many. */
  async sweep(days: number, size: number): Promise<number> {
    return this.notifications.sweep(days, size);
  }
}
