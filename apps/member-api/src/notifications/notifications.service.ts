import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { NotificationsRepository } from './notifications.repository.js';
import type { Marked, NewNotification } from './notifications.repository.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Injectable()
export class NotificationsService {
  constructor(private readonly notifications: NotificationsRepository) {}

  /** Puts notifications into inboxes, each occasion once, in the transaction of what happened. */
  async notify(manager: EntityManager, made: readonly NewNotification[]): Promise<void> {
    if (made.length > 0) await this.notifications.insert(manager, made);
  }

  /** Somebody else's notification, one of another site and a missing one look alike. */
  async markRead(principal: Principal, id: string): Promise<Marked> {
    // An id that is none has no row, and still the caller is told how many are unread.
    return this.notifications.markRead(principal, UUID.test(id) ? id : '00000000-0000-0000-0000-000000000000');
  }
}
