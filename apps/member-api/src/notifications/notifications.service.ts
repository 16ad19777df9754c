import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { uuidOfId } from '#src/schema/global-id.js';
import { NotificationsRepository } from './notifications.repository.js';
import type { Marked, MarkedBatch, NewNotification, RewrittenNotification } from './notifications.repository.js';

export type { NewNotification } from './notifications.repository.js';

/** No row has the nil UUID. A malformed id gets it, because the response has the unread count in any case. */
const uuidOf = (id: string): string => uuidOfId('Notification', id) ?? '00000000-0000-0000-0000-000000000000';
/** Rows marked in one transaction. An update leaves a dead version until vacuum, so a batch takes some megabytes. */
const MARK_BATCH = 5_000;

export type MarkedAll = Pick<MarkedBatch, 'marked' | 'unread'>;

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationsRepository) {}

  /** Delivers notifications by the members' preferences, once per occasion, in the transaction of the event. */
  async notify(tx: EntityManager, made: readonly NewNotification[]): Promise<void> {
    if (made.length > 0) await this.notifications.insert(tx, made);
  }

  /** Replaces the texts of an occasion for all of its recipients. Without `mails`, those that wait are not sent. */
  async rewrite(tx: EntityManager, notification: RewrittenNotification, mails: boolean): Promise<void> {
    await this.notifications.rewrite(tx, notification);
    if (!mails) await this.notifications.endMails(tx, notification);
  }

  /** The result is the same for a missing notification and for one of another person or site. */
  async markRead(principal: Principal, id: string): Promise<Marked> {
    return this.notifications.markRead(principal, uuidOf(id));
  }

  /** Dry run of `markRead`. */
  async foreseeRead(principal: Principal, id: string): Promise<Marked> {
    return this.notifications.foreseeRead(principal, uuidOf(id));
  }

  /** Marks all notifications up to the instant, or up to now, in batches. */
  async markAllRead(principal: Principal, before: string | null): Promise<MarkedAll> {
    let until = before;
    for (let sum = 0; ;) {
      const { marked, unread, until: bound } = await this.notifications.markBatch(principal, until, MARK_BATCH);
      sum += marked;
      if (marked < MARK_BATCH) return { marked: sum, unread };
      until = bound;
    }
  }

  /** Dry run of `markAllRead`. */
  async foreseeAllRead(principal: Principal, before: string | null): Promise<MarkedAll> {
    return this.notifications.foreseeAllRead(principal, before);
  }

  /** Removes a batch of notifications older than `days` and returns their number. */
  async sweep(days: number, size: number): Promise<number> {
    return this.notifications.sweep(days, size);
  }
}
