import { ArgsType, Field, ID, Int, InputType, ObjectType, createUnionType, registerEnumType } from '@nestjs/graphql';
import { PurchasedConsultingService } from '#src/consulting-services/purchased-consulting-service.schema.js';
import { PurchasedDigitalProduct } from '#src/digital-products/purchased-digital-product.schema.js';
import { EnrolledCourse } from '#src/enrolled-courses/enrolled-course.schema.js';
import { EventRegistration } from '#src/event-registrations/event-registration.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { UserError } from '#src/schema/user-error.schema.js';
import { PageArgs, connectionOf } from '#src/paging/connection.schema.js';
import { Post } from '#src/posts/post.schema.js';
import { Node } from '#src/schema/node.schema.js';
import { TYPE_KEY } from '#src/schema/type-key.js';
import { KINDS } from '#src/notifications/kinds.policy.js';
import type { Kind } from '#src/notifications/kinds.policy.js';

type KindKey = Uppercase<Kind>;
const upper = (name: string): KindKey => name.toUpperCase() as KindKey;
const names = Object.keys(KINDS).map(upper);

const NotificationKind = Object.fromEntries(names.map((name) => [name, name])) as Record<KindKey, KindKey>;
registerEnumType(NotificationKind, {
  name: 'NotificationKind',
  description: 'The kind of a notification. More kinds may be added.',
  valuesMap: Object.fromEntries(Object.entries(KINDS).map(([name, { description }]) => [upper(name), { description }])),
});

export const NotificationSubject = createUnionType({
  name: 'NotificationSubject',
  description: 'The object that a notification is about. More types may be added.',
  types: () => [EnrolledCourse, PurchasedDigitalProduct, PurchasedConsultingService, EventRegistration, Post] as const,
  resolveType: (subject: { [TYPE_KEY]: string }) => subject[TYPE_KEY],
});

@ObjectType({ implements: () => [Node], description: "A message in the member's inbox." })
export class Notification {
  @Field(() => ID, { description: 'Identifier of the notification.' })
  id!: string;

  @Field(() => NotificationKind, { description: 'The kind of the notification.' })
  kind!: KindKey;

  @Field(() => String, { description: 'One line.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'The rest of the message.' })
  body!: string | null;

  @Field(() => UrlScalar, {
    nullable: true,
    description:
      'Where it leads: the page of the course, or the link of an announcement. Null without one, and for a course while the school has not set its URL template.',
  })
  url!: string | null;

  @Field(() => Boolean, { description: 'True once the notification has been read. It cannot become unread again.' })
  isRead!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was first read; null before.' })
  readAt!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the notification arrived.' })
  createdAt!: string;

  @Field(() => NotificationSubject, {
    nullable: true,
    description: 'The object that the notification is about; null when it no longer exists.',
  })
  subject!: typeof NotificationSubject | null;
}

export const NotificationConnection = connectionOf(
  Notification,
  'Notification',
  "the notifications in the member's inbox",
);

@InputType({ description: 'Which notification has been read.' })
export class MarkNotificationReadInput {
  @Field(() => ID, { description: 'Identifier of the notification.' })
  notificationId!: string;

  @Field(() => String, { nullable: true, description: 'Comes back in the payload as it is.' })
  clientMutationId?: string;
}

/** The notification is a method of the resolver: it is read only when it is selected. */
@ObjectType({ description: 'The result of markNotificationRead.' })
export class MarkNotificationReadPayload {
  @Field(() => Int, { nullable: true, description: 'How many notifications are unread now.' })
  unreadNotificationCount!: number | null;

  @Field(() => [UserError], { description: 'Reasons for which nothing was changed; empty after a success.' })
  userErrors!: UserError[];

  @Field(() => String, { nullable: true, description: 'The value of the input.' })
  clientMutationId!: string | null;
}

@InputType({ description: 'Which notifications have been read.' })
export class MarkAllNotificationsReadInput {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Marks only those that came up to the end of the millisecond of this instant, such as createdAt of the newest one shown. Default: now.',
  })
  before?: string | null;

  @Field(() => String, { nullable: true, description: 'Comes back in the payload as it is.' })
  clientMutationId?: string | null;
}

@ObjectType({ description: 'The result of markAllNotificationsRead.' })
export class MarkAllNotificationsReadPayload {
  @Field(() => Int, { description: 'How many were unread and are read now.' })
  markedCount!: number;

  @Field(() => Int, { nullable: true, description: 'How many notifications are unread now.' })
  unreadNotificationCount!: number | null;

  @Field(() => [UserError], { description: 'Reasons for which nothing was changed; empty after a success.' })
  userErrors!: UserError[];

  @Field(() => String, { nullable: true, description: 'The value of the input.' })
  clientMutationId!: string | null;
}

@ArgsType()
export class NotificationArgs extends PageArgs {
  @Field(() => Boolean, { nullable: true, description: 'Only those that have been read, or only the unread ones.' })
  isRead?: boolean;
}
