import { Injectable } from '@nestjs/common';
import { commentEvents } from '@lyceum/contracts';
import { Consumes } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { reportsChange } from '#src/notifications/state-changes.js';
import { repliedTo } from './comment-reply.policy.js';

type CommentEvent = EventOf<[typeof commentEvents]>;

function replyNotification({ data }: CommentEvent): NewNotification[] {
  const person_id = repliedTo(data, Date.now());
  if (person_id === null) return [];
  const { comment_id, site_id, author_name: author, excerpt, path } = data;
  const occasion = `comment:${comment_id}`;
  return [
    { site_id, person_id, occasion, kind: 'comment_replied', parameters: { author, excerpt }, path, subject_id: null },
  ];
}

/** Notifies the author of a comment of replies to it. Comments are not stored. */
@Injectable()
export class CommentsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @Consumes(commentEvents, 'comments')
  async notifyOfReplies(events: readonly CommentEvent[], tx: EntityManager): Promise<void> {
    await this.notifications.notify(tx, events.filter(reportsChange).flatMap(replyNotification));
  }
}
