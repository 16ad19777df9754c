import { Injectable } from '@nestjs/common';
import { ERASED_NAME, commentEvents } from '@lyceum/contracts';
import { Consumes, Outbox } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { reportsChange } from '#src/notifications/state-changes.js';
import { repliedTo } from './comment-reply.policy.js';

type CommentEvent = EventOf<[typeof commentEvents]>;

function textsOf({ comment_id, site_id, author_name: author, excerpt }: CommentEvent['data']) {
  const occasion = `comment:${comment_id}`;
  return { site_id, occasion, kind: 'comment_replied', parameters: { author, excerpt } } as const;
}

function replyNotification({ data }: CommentEvent): NewNotification[] {
  const person_id = repliedTo(data, Date.now());
  return person_id === null ? [] : [{ ...textsOf(data), person_id, path: data.path, subject_id: null }];
}

/** True when the author was removed, or the comment was deleted. */
const isErased = ({ data }: CommentEvent): boolean => data.author_name === ERASED_NAME;

/** Notifies the author of a comment of replies to it. Comments are not stored. */
@Injectable()
export class CommentsConsumer {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly outbox: Outbox,
  ) {}

  @Consumes(commentEvents, 'comments')
  async notifyOfReplies(events: readonly CommentEvent[], tx: EntityManager): Promise<void> {
    await this.notifications.notify(tx, events.filter(reportsChange).flatMap(replyNotification));
    for (const { data, aggregate_id, epoch, aggregate_version: version } of events.filter(isErased)) {
      if (data.parent !== null) await this.notifications.rewrite(tx, textsOf(data));
      // Earlier events, which have the name, may be dead letters.
      await this.outbox.erase(tx, { aggregate_id, epoch, version });
    }
  }
}
