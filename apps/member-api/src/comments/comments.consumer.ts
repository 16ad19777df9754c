import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { commentEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { repliedTo } from './comment-reply.policy.js';

type CommentEvent = EventOf<[typeof commentEvents]>;

function replyNotification({ data }: CommentEvent): NewNotification[] {
  const person_id = repliedTo(data, Date.now());
  if (person_id === null) return [];
  const { comment_id, site_id, author_name, excerpt: body, path } = data;
  const occasion = `comment:${comment_id}`;
  const title = `${author_name} replied to your comment`;
  return [{ site_id, person_id, occasion, kind: 'comment_replied', title, body, path, subject_id: null }];
}

/** Tells the author of a comment of the replies to it. Nothing of a comment is kept. */
@Injectable()
export class CommentsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly notifications: NotificationsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'comments',
      stream: 'SCHOOL',
      events: [commentEvents],
      handleAll: (events, manager) => this.notifications.notify(manager, events.flatMap(replyNotification)),
    });
  }
}
