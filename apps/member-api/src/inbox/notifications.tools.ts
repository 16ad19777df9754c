import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { DateTimeScalar, isDateTime } from '#src/schema/scalars.js';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { DRY_RUN, WRITE_INPUT } from '#src/paging/tool-write.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';

const node = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  url: z.string().nullable(),
  isRead: z.boolean(),
  createdAt: z.string(),
});

const INBOX = {
  document: parse(`query ($first: Int, $after: String) { viewer {
    unreadNotificationCount
    notifications(first: $first, after: $after) {
      nodes { id kind title body url isRead createdAt }
      pageInfo { hasNextPage endCursor }
    }
  } }`),
  output: z.object({
    unreadNotificationCount: z.int(),
    notifications: connectionOf(node),
  }),
};

const listed = itemsOf(
  z.object({
    notification_id: z.string(),
    kind: z.string(),
    title: z.string(),
    body: z.string().nullable(),
    url: z.string().nullable().describe('Page of the course, or link of the announcement; null without one.'),
    is_read: z.boolean(),
    created_at: z.string(),
  }),
).extend({ unread_notification_count: z.int() });

const markInput = z.object({
  notification_id: z.string().describe('Identifier of the notification; my_notifications has it.'),
  ...WRITE_INPUT,
});
const marked = z.object({
  notification_id: z.string(),
  is_read: z.boolean(),
  unread_notification_count: z.int(),
  dry_run: DRY_RUN,
});

const markAllInput = z.object({
  before: z.iso
    .datetime({ offset: true })
    .refine(isDateTime, 'is no instant of the years 1 to 9999')
    .optional()
    .describe('Only those that came up to this instant, such as created_at of the newest one seen; now without it.'),
  ...WRITE_INPUT,
});
const markedAll = z.object({
  marked_count: z.int().describe('How many were unread before.'),
  unread_notification_count: z.int(),
  dry_run: DRY_RUN,
});

@Injectable()
export class NotificationsTools {
  constructor(
    private readonly queries: MemberQueries,
    private readonly notifications: NotificationsService,
  ) {}

  @Tool({
    name: 'my_notifications',
    title: 'My notifications',
    description:
      "Lists the signed-in member's notifications, newest first, and says how many are unread. Use it to tell the member what is new.",
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output: listed,
    annotations: { readOnlyHint: true },
  })
  async myNotifications(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof listed>> {
    const { notifications, unreadNotificationCount } = await this.queries.run(INBOX, call.input, principalOf(call));
    return {
      items: notifications.nodes.map(({ id, isRead, createdAt, ...rest }) => ({
        notification_id: id,
        ...rest,
        kind: rest.kind.toLowerCase(),
        is_read: isRead,
        created_at: createdAt,
      })),
      next_cursor: nextCursor(notifications.pageInfo),
      unread_notification_count: unreadNotificationCount,
    };
  }

  @Tool({
    name: 'mark_notification_read',
    title: 'Mark a notification as read',
    description:
      'Marks one notification of the signed-in member as read, for good. Use it when the member has seen it; doing it again changes nothing.',
    audience: 'member',
    scopes: ['account:read', 'account:write'],
    input: markInput,
    output: marked,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  })
  async markNotificationRead(call: ToolCall<z.output<typeof markInput>>): Promise<z.input<typeof marked>> {
    const { notification_id, dry_run } = call.input;
    const principal = principalOf(call);
    const { found, unread } = dry_run
      ? await this.notifications.foreseeRead(principal, notification_id)
      : await this.notifications.markRead(principal, notification_id);
    if (!found) {
      throw new ApiError('not_found', 'The notification does not exist', {
        hint: 'Take notification_id from my_notifications.',
      });
    }
    return { notification_id, is_read: true, unread_notification_count: unread, dry_run };
  }

  @Tool({
    name: 'mark_all_notifications_read',
    title: 'Mark all notifications as read',
    description:
      'Marks all notifications of the signed-in member as read, for good, up to an instant. Use it when the member has seen them; what comes later stays unread.',
    audience: 'member',
    scopes: ['account:read', 'account:write'],
    input: markAllInput,
    output: markedAll,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  })
  async markAllNotificationsRead(call: ToolCall<z.output<typeof markAllInput>>): Promise<z.input<typeof markedAll>> {
    const { input } = call;
    const principal = principalOf(call);
    const before = input.before === undefined ? null : DateTimeScalar.parseValue(input.before);
    const { marked, unread } = input.dry_run
      ? await this.notifications.foreseeAllRead(principal, before)
      : await this.notifications.markAllRead(principal, before);
    return { marked_count: marked, unread_notification_count: unread, dry_run: input.dry_run };
  }
}
