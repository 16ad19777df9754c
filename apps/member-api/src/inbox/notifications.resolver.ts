import { Args, Context, Info, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { uuidOfId } from '#src/schema/global-id.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { UserErrorCode } from '#src/schema/user-error.schema.js';
import type { UserError } from '#src/schema/user-error.schema.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import {
  MarkAllNotificationsReadInput,
  MarkAllNotificationsReadPayload,
  MarkNotificationReadInput,
  MarkNotificationReadPayload,
  Notification,
} from './notification.schema.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';

/** The payload without its notification. A resolver reads the notification when it is selected. */
interface Payload extends MarkNotificationReadPayload {
  readonly id: string | undefined;
}

const NO_SUCH_NOTIFICATION: UserError = {
  field: ['notificationId'],
  message: 'The notification does not exist',
  code: UserErrorCode.NOT_FOUND,
};

@Resolver(() => MarkNotificationReadPayload)
export class NotificationsResolver {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly viewers: ViewerService,
  ) {}

  @Mutation(() => MarkNotificationReadPayload, {
    description: 'Marks a notification as read. Repeating it changes nothing; the time of the first stays.',
  })
  async markNotificationRead(
    @Args('input', { description: 'Which notification.' }) input: MarkNotificationReadInput,
    @Context() { principal }: MemberContext,
  ): Promise<Payload> {
    const { found, unread } = await this.notifications.markRead(principal, input.notificationId);
    return {
      id: found ? input.notificationId : undefined,
      unreadNotificationCount: unread,
      userErrors: found ? [] : [NO_SUCH_NOTIFICATION],
      clientMutationId: input.clientMutationId ?? null,
    };
  }

  @Mutation(() => MarkAllNotificationsReadPayload, {
    description: 'Marks all notifications as read that have arrived so far. Later ones stay unread.',
  })
  async markAllNotificationsRead(
    @Args('input', {
      type: () => MarkAllNotificationsReadInput,
      nullable: true,
      description: 'Up to when; up to now without it.',
    })
    input: MarkAllNotificationsReadInput | undefined,
    @Context() { principal }: MemberContext,
  ): Promise<MarkAllNotificationsReadPayload> {
    const { marked, unread } = await this.notifications.markAllRead(principal, input?.before ?? null);
    return {
      markedCount: marked,
      unreadNotificationCount: unread,
      userErrors: [],
      clientMutationId: input?.clientMutationId ?? null,
    };
  }

  @ResolveField(() => Notification, {
    nullable: true,
    description: 'The state after the mutation; null with user errors.',
  })
  notification(
    @Parent() { id }: Payload,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> | null {
    return id === undefined ? null : this.viewers.readField(info, context, uuidOfId('Notification', id));
  }
}
