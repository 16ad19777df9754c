import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { textOf } from '#src/messages/messages.js';
import { DateTimeScalar } from '#src/schema/scalars.js';
import { UserError } from '#src/schema/user-error.schema.js';
import { connectionOf } from '#src/paging/connection.schema.js';
import { TOPICS } from './topics.policy.js';
import type { TopicName } from './topics.policy.js';

type TopicKey = Uppercase<TopicName>;
const upper = (name: string): TopicKey => name.toUpperCase() as TopicKey;
const names = Object.keys(TOPICS).map(upper);

export const NotificationTopic = Object.fromEntries(names.map((name) => [name, name])) as Record<TopicKey, TopicKey>;
registerEnumType(NotificationTopic, {
  name: 'NotificationTopic',
  description: 'A topic of notifications. More topics may be added.',
  valuesMap: Object.fromEntries(
    (Object.keys(TOPICS) as TopicName[]).map((name) => [
      upper(name),
      { description: textOf(`topic.${name}`, {}, { person: 'en', site: null }) },
    ]),
  ),
});

export enum NotificationEntityType {
  COURSE = 'COURSE',
}
registerEnumType(NotificationEntityType, {
  name: 'NotificationEntityType',
  description: 'The type of the object that a subscription can be limited to. More types may be added.',
  valuesMap: { COURSE: { description: 'One course that the member is enrolled in.' } },
});

export enum NotificationChannel {
  IN_APP = 'IN_APP',
  EMAIL = 'EMAIL',
}
registerEnumType(NotificationChannel, {
  name: 'NotificationChannel',
  description: 'A channel of notifications. More channels may be added.',
  valuesMap: {
    IN_APP: { description: 'In the inbox: viewer.notifications.' },
    EMAIL: {
      description:
        "To the member's e-mail address. After three mails of a subscription to news of a course, new lectures or replies within an hour, later ones wait for up to an hour and arrive as one.",
    },
  },
});

@ObjectType({ description: 'Whether a subscription uses a channel.' })
export class NotificationChannelSetting {
  @Field(() => NotificationChannel, { description: 'The channel.' })
  channel!: NotificationChannel;

  @Field(() => Boolean, { description: 'True when it is used.' })
  enabled!: boolean;
}

@ObjectType({
  implements: () => [Node],
  description: "The member's choice of notifications for a topic, and their channels.",
})
export class NotificationSubscription {
  @Field(() => ID, { description: 'Identifier of the subscription.' })
  id!: string;

  @Field(() => NotificationTopic, { description: 'The topic of the subscription.' })
  topic!: TopicKey;

  @Field(() => String, { description: 'The name of the topic, for people.' })
  description!: string;

  @Field(() => NotificationEntityType, {
    nullable: true,
    description:
      'The object that the subscription is limited to; null for the whole topic. The narrower subscription applies.',
  })
  entityType!: NotificationEntityType | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Identifier of the object that the subscription is limited to; null for the whole topic.',
  })
  entityId!: string | null;

  @Field(() => [NotificationChannelSetting], { description: 'All channels, each with its setting.' })
  channels!: NotificationChannelSetting[];

  @Field(() => Boolean, {
    description: 'False when the member receives no notification of the topic, regardless of the channels.',
  })
  active!: boolean;

  @Field(() => Boolean, { description: 'False for topics that every member receives, such as access and membership.' })
  canChange!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the member set it; null while it is the default.' })
  updatedAt!: string | null;
}

export const NotificationSubscriptionConnection = connectionOf(
  NotificationSubscription,
  'NotificationSubscription',
  "the member's subscriptions",
  'those of whole topics first, then those of single courses',
);

@InputType({ description: 'A channel, and whether to use it.' })
export class NotificationChannelInput {
  @Field(() => NotificationChannel, { description: 'The channel; each at most once.' })
  channel!: NotificationChannel;

  @Field(() => Boolean, { description: 'True to use it.' })
  enabled!: boolean;
}

@InputType({ description: 'The changes to a subscription. Absent members stay as they are.' })
export class UpdateNotificationSubscriptionInput {
  @Field(() => ID, { description: 'Identifier of the subscription.' })
  subscriptionId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'False turns all notifications of the topic off, except those of courses that the member has turned on.',
  })
  active?: boolean | null;

  @Field(() => [NotificationChannelInput], { nullable: true, description: 'The channels to change.' })
  channels?: NotificationChannelInput[] | null;

  @Field(() => String, { nullable: true, description: 'Comes back in the payload as it is.' })
  clientMutationId?: string | null;
}

/** The subscription is a method of the resolver: it is read only when it is selected. */
@ObjectType({ description: 'The result of updateNotificationSubscription.' })
export class UpdateNotificationSubscriptionPayload {
  @Field(() => [UserError], { description: 'Reasons for which nothing was changed; empty after a success.' })
  userErrors!: UserError[];

  @Field(() => String, { nullable: true, description: 'The value of the input.' })
  clientMutationId!: string | null;
}
