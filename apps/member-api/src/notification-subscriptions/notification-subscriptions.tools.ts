import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Tool, itemsOf, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { connectionOf, nextCursor, pageInput } from '#src/paging/tool-page.js';
import { uuidOfId } from '#src/schema/global-id.js';
import { DRY_RUN, WRITE_INPUT } from '#src/paging/tool-write.js';
import { MemberQueries } from '#src/reading/member-queries.service.js';
import { NotificationSubscriptionsService } from './notification-subscriptions.service.js';

const node = z.object({
  id: z.string(),
  topic: z.string(),
  description: z.string(),
  entityType: z.string().nullable(),
  entityId: z.string().nullable(),
  active: z.boolean(),
  canChange: z.boolean(),
  channels: z.array(z.object({ channel: z.enum(['IN_APP', 'EMAIL']), enabled: z.boolean() })),
});

const SUBSCRIPTIONS = {
  document: parse(`query ($first: Int, $after: String) { viewer {
    notificationSubscriptions(first: $first, after: $after) {
      nodes { id topic description entityType entityId active canChange channels { channel enabled } }
      pageInfo { hasNextPage endCursor }
    }
  } }`),
  output: z.object({ notificationSubscriptions: connectionOf(node) }),
};

const channels = z.object({
  in_app: z.boolean().describe('In the list of notifications.'),
  email: z.boolean().describe('By e-mail.'),
});
const listed = itemsOf(
  z.object({
    subscription_id: z.string(),
    topic: z.string(),
    description: z.string(),
    entity_type: z.string().nullable(),
    entity_id: z.string().nullable(),
    active: z.boolean(),
    can_change: z.boolean(),
    channels,
  }),
);

const changeInput = z.object({
  subscription_id: z.string().describe('Identifier of the subscription; my_notification_subscriptions has it.'),
  active: z
    .boolean()
    .optional()
    .describe('False turns all notifications of the topic off, except those of courses that the member has turned on.'),
  channels: channels.partial().strict().optional().describe('The channels to change; the others stay as they are.'),
  ...WRITE_INPUT,
});
const changed = z.object({ subscription_id: z.string(), active: z.boolean(), channels, dry_run: DRY_RUN });

@Injectable()
export class NotificationSubscriptionsTools {
  constructor(
    private readonly queries: MemberQueries,
    private readonly subscriptions: NotificationSubscriptionsService,
  ) {}

  @Tool({
    name: 'my_notification_subscriptions',
    title: 'My notification subscriptions',
    description:
      'Lists the notification topics of the signed-in member and their channels: inbox and e-mail. Use it before update_notification_subscription.',
    audience: 'member',
    scopes: ['account:read'],
    input: pageInput,
    output: listed,
    annotations: { readOnlyHint: true },
  })
  async myNotificationSubscriptions(call: ToolCall<z.output<typeof pageInput>>): Promise<z.input<typeof listed>> {
    const { notificationSubscriptions } = await this.queries.run(SUBSCRIPTIONS, call.input, principalOf(call));
    return {
      items: notificationSubscriptions.nodes.map(summary),
      next_cursor: nextCursor(notificationSubscriptions.pageInfo),
    };
  }

  @Tool({
    name: 'update_notification_subscription',
    title: 'Change a notification subscription',
    description:
      'Turns the notifications of a topic on or off for the signed-in member, as a whole or by channel. Use it when the member asks for more or fewer messages; repeating it changes nothing.',
    audience: 'member',
    scopes: ['account:read', 'account:write'],
    input: changeInput,
    output: changed,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  })
  async updateNotificationSubscription(call: ToolCall<z.output<typeof changeInput>>): Promise<z.input<typeof changed>> {
    const { subscription_id, active, channels: given = {}, dry_run } = call.input;
    const change = { ...(active === undefined ? {} : { active }), ...given, dryRun: dry_run };
    const uuid = uuidOfId('NotificationSubscription', subscription_id);
    const end = await this.subscriptions.change(principalOf(call), uuid, change);
    if (end === 'not_found') {
      throw new ApiError('not_found', 'The subscription does not exist', {
        hint: 'Take subscription_id from my_notification_subscriptions.',
      });
    }
    if (end === 'not_changeable') {
      throw new ApiError('invalid_state', 'All members receive these notifications; the topic cannot be changed', {
        hint: 'Change only subscriptions whose can_change is true.',
      });
    }
    const { active: now, ...channelsNow } = end;
    return { subscription_id, active: now, channels: channelsNow, dry_run };
  }
}

function summary(subscription: z.output<typeof node>): z.input<typeof listed>['items'][number] {
  const { id, entityType, entityId, canChange, topic, description, active } = subscription;
  const enabled = new Set(subscription.channels.flatMap((one) => (one.enabled ? [one.channel] : [])));
  return {
    subscription_id: id,
    topic: topic.toLowerCase(),
    description,
    entity_type: entityType?.toLowerCase() ?? null,
    entity_id: entityId,
    active,
    can_change: canChange,
    channels: { in_app: enabled.has('IN_APP'), email: enabled.has('EMAIL') },
  };
}
