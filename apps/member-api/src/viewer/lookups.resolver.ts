import { Args, Context, ID, Info, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { PurchasedConsultingService } from '#src/consulting-services/purchased-consulting-service.schema.js';
import { PurchasedDigitalProduct } from '#src/digital-products/purchased-digital-product.schema.js';
import { EnrolledCourse } from '#src/enrolled-courses/enrolled-course.schema.js';
import { EventRegistration } from '#src/event-registrations/event-registration.schema.js';
import { Notification } from '#src/inbox/notification.schema.js';
import {
  NotificationSubscription,
  NotificationTopic,
} from '#src/notification-subscriptions/notification-subscription.schema.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { Viewer } from './viewer.schema.js';

/**
 * Fields that return one object of each list of `viewer`. SQL reads the arguments; the parameters only declare them.
 */
@Resolver(() => Viewer)
export class LookupsResolver {
  constructor(private readonly viewers: ViewerService) {}

  @ResolveField(() => EnrolledCourse, {
    nullable: true,
    description: 'The newest enrollment of the member in a course; null without one.',
  })
  enrolledCourse(
    @Args('slug', { description: 'Slug of the course.' }) _slug: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => PurchasedDigitalProduct, {
    nullable: true,
    description: 'The digital product of a slug, as the member got it last; null if the member does not have it.',
  })
  digitalProduct(
    @Args('slug', { description: 'Slug of the product.' }) _slug: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => PurchasedConsultingService, {
    nullable: true,
    description: 'The consulting service of a slug, as the member bought it last; null if the member does not have it.',
  })
  consultingService(
    @Args('slug', { description: 'Slug of the service.' }) _slug: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => EventRegistration, {
    nullable: true,
    description: 'The newest registration of the member for an event; null without one.',
  })
  eventRegistration(
    @Args('slug', { description: 'Slug of the event.' }) _slug: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => Notification, {
    nullable: true,
    description: 'A notification in the inbox; null for an unknown one.',
  })
  notification(
    @Args('id', { type: () => ID, description: 'The id of the notification.' }) _id: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => NotificationSubscription, {
    nullable: true,
    description: 'The subscription to a topic; null for a course that the member does not take.',
  })
  notificationSubscription(
    @Args('topic', { type: () => NotificationTopic, description: 'The topic.' }) _topic: string,
    @Args('entityId', {
      type: () => ID,
      nullable: true,
      description: 'The entityId of a subscription that is limited to one course; the whole topic without it.',
    })
    _entityId: string | undefined,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }
}
