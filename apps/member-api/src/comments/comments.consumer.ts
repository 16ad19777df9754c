import { Injectable } from '@nestjs/common';
import { ERASED_NAME, commentEvents, eventType, isNewerState } from '@lyceum/contracts';
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

const isVisible = ({ state }: CommentEvent['data']): boolean => state === 'visible';

function textsOf(data: CommentEvent['data']) {
  const { comment_id, site_id, author_name: author } = data;
  const occasion = `comment:${comment_id}`;
  const excerpt = isVisible(data) ? data.excerpt : '';
  return { site_id, occasion, kind: 'comment_replied', parameters: { author, excerpt } } as const;
}

function replyNotification(event: CommentEvent): NewNotification[] {
  const { data } = event;
  const person_id = repliedTo(event, Date.now());
  return person_id === null ? [] : [{ ...textsOf(data), person_id, path: data.path, subject_id: null }];
}

const placeOf = ({ epoch, aggregate_version: version }: CommentEvent): StateVersion => ({ epoch, version });

/** True for an event that arrives with or after a later one that changed its name or its text. */
function isErasedBy(erasures: ReadonlyMap<string, StateVersion>, event: CommentEvent): boolean {
  const erasure = erasures.get(event.aggregate_id);
  return erasure !== undefined && isNewerState(erasure, placeOf(event));
}

const MODERATIONS: readonly string[] = [eventType(commentEvents, 'hidden'), eventType(commentEvents, 'approved')];

/** True when the author was removed, the comment was deleted, or a moderator has hidden or approved the reply. */
const rewrites = ({ type, data }: CommentEvent): boolean =>
  data.author_name === ERASED_NAME || (data.parent !== null && MODERATIONS.includes(type));

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
    for (const event of events.filter(rewrites)) {
      if (!isErasedBy(erasures, event)) erasures.set(event.aggregate_id, placeOf(event));
    }
    const current = events.filter((event) => !isErasedBy(erasures, event));
    for (const event of current.filter(rewrites)) {
      const { aggregate_id, data } = event;
      if (data.parent !== null) await this.notifications.rewrite(tx, textsOf(data), isVisible(data));
      // Earlier events, which have the name or the text, may be dead letters.
      await this.outbox.erase(tx, commentEvents, { aggregate_id, ...placeOf(event) });
    }
    await this.notifications.notify(tx, current.filter(reportsChange).flatMap(replyNotification));
  }
}
