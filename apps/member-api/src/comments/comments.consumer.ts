import { Injectable } from '@nestjs/common';
import { ERASED_NAME, commentEvents, isNewerState } from '@lyceum/contracts';
import type { StateVersion } from '@lyceum/contracts';
import { Consumes, Outbox } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { reportsChange } from '#src/notifications/state-changes.js';
import { repliedTo } from './comment-reply.policy.js';
import { CommentsRepository } from './comments.repository.js';

type CommentEvent = EventOf<[typeof commentEvents]>;

function textsOf({ comment_id, site_id, author_name: author, excerpt }: CommentEvent['data']) {
  const occasion = `comment:${comment_id}`;
  return { site_id, occasion, kind: 'comment_replied', parameters: { author, excerpt } } as const;
}

function replyNotification(event: CommentEvent): NewNotification[] {
  const { data } = event;
  const person_id = repliedTo(event, Date.now());
  return person_id === null ? [] : [{ ...textsOf(data), person_id, path: data.path, subject_id: null }];
}

/** True for an event that arrives after a later one that removed its name or its text. */
function isErasedBy(erasures: ReadonlyMap<string, StateVersion>, event: CommentEvent): boolean {
  const { aggregate_id, epoch, aggregate_version: version } = event;
  const erasure = erasures.get(aggregate_id);
  return erasure !== undefined && isNewerState(erasure, { epoch, version });
}

/** True when the author was removed, or the comment was deleted. */
const isErased = ({ data }: CommentEvent): boolean => data.author_name === ERASED_NAME;

/** Notifies the author of a comment of replies to it. Comments are not stored, so nothing else orders their events. */
@Injectable()
export class CommentsConsumer {
  constructor(
    private readonly comments: CommentsRepository,
    private readonly notifications: NotificationsService,
    private readonly outbox: Outbox,
  ) {}

  @Consumes(commentEvents, 'comments')
  async notifyOfReplies(events: readonly CommentEvent[], tx: EntityManager): Promise<void> {
    const erasures = await this.comments.lockErasures(
      events.map(({ aggregate_id }) => aggregate_id),
      tx,
    );
    const current = events.filter((event) => reportsChange(event) && !isErasedBy(erasures, event));
    await this.notifications.notify(tx, current.flatMap(replyNotification));
    for (const { data, aggregate_id, epoch, aggregate_version: version } of events.filter(isErased)) {
      if (data.parent !== null) await this.notifications.rewrite(tx, textsOf(data));
      // Earlier events, which have the name, may be dead letters.
      await this.outbox.erase(tx, commentEvents, { aggregate_id, epoch, version });
    }
  }
}
