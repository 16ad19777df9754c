import { Args, Context, Info, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { uuidOfId } from '#src/schema/global-id.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { UserErrorCode } from '#src/schema/user-error.schema.js';
import type { UserError } from '#src/schema/user-error.schema.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import { channelSettings } from './channels.policy.js';
import {
  NotificationSubscription,
  UpdateNotificationSubscriptionInput,
  UpdateNotificationSubscriptionPayload,
} from './notification-subscription.schema.js';
import { NotificationSubscriptionsService } from './notification-subscriptions.service.js';
import type { ChangeEnd } from './notification-subscriptions.service.js';

/** The payload without its subscription. A resolver reads the subscription when it is selected. */
interface Payload extends UpdateNotificationSubscriptionPayload {
  readonly id: string | undefined;
}

const uuidOf = (id: string): string | undefined => uuidOfId('NotificationSubscription', id);

const REPEATED: UserError = {
  field: ['channels'],
  message: 'A channel is given at most once',
  code: UserErrorCode.REPEATED,
};
const ERRORS: Readonly<Record<Extract<ChangeEnd, string>, UserError>> = {
  not_found: { field: ['subscriptionId'], message: 'The subscription does not exist', code: UserErrorCode.NOT_FOUND },
  not_changeable: {
    field: ['subscriptionId'],
    message: 'All members receive these notifications; the topic cannot be changed',
    code: UserErrorCode.NOT_CHANGEABLE,
  },
};

@Resolver(() => UpdateNotificationSubscriptionPayload)
export class NotificationSubscriptionsResolver {
  constructor(
    private readonly subscriptions: NotificationSubscriptionsService,
    private readonly viewers: ViewerService,
  ) {}

  @Mutation(() => UpdateNotificationSubscriptionPayload, {
    description: 'Changes the notifications of a topic, and their channels. Repeating it changes nothing.',
  })
  async updateNotificationSubscription(
    @Args('input', { description: 'The subscription and the changes to it.' })
    input: UpdateNotificationSubscriptionInput,
    @Context() { principal }: MemberContext,
  ): Promise<Payload> {
    const { subscriptionId, active, channels, clientMutationId } = input;
    const settings = channelSettings(channels ?? []);
    const payload = (userErrors: UserError[]): Payload => ({
      id: userErrors.length === 0 ? subscriptionId : undefined,
      userErrors,
      clientMutationId: clientMutationId ?? null,
    });
    if (settings === undefined) return payload([REPEATED]);
    const change = { active: active ?? null, ...settings };
    const end = await this.subscriptions.change(principal, uuidOf(subscriptionId), change);
    return payload(typeof end === 'string' ? [ERRORS[end]] : []);
  }

  @ResolveField(() => NotificationSubscription, {
    nullable: true,
    description: 'The state after the mutation; null with user errors.',
  })
  subscription(
    @Parent() { id }: Payload,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> | null {
    return id === undefined ? null : this.viewers.readField(info, context, uuidOf(id));
  }
}
