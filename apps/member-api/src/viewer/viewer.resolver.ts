import { Args, Context, Info, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { PurchasedConsultingServiceConnection } from '#src/consulting-services/purchased-consulting-service.schema.js';
import {
  DigitalProductArgs,
  PurchasedDigitalProductConnection,
} from '#src/digital-products/purchased-digital-product.schema.js';
import { EnrolledCourseConnection, EnrolledCourseArgs } from '#src/enrolled-courses/enrolled-course.schema.js';
import {
  EventRegistrationConnection,
  EventRegistrationArgs,
} from '#src/event-registrations/event-registration.schema.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { NotificationSubscriptionConnection } from '#src/notification-subscriptions/notification-subscription.schema.js';
import { NotificationConnection, NotificationArgs } from '#src/inbox/notification.schema.js';
import { PageArgs } from '#src/paging/connection.schema.js';
import { Viewer } from './viewer.schema.js';
import { ViewerService } from '#src/reading/viewer.service.js';

/**
 * Resolves the parts of `viewer`, one statement each. Most queries do not get here, because one SQL statement serves
 * the whole query. These resolvers serve queries with a failing part: a connection that fails is null with its path.
 */
@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly viewers: ViewerService) {}

  @Query(() => Viewer, {
    nullable: true,
    description: 'The signed-in member; null, with an error, when they left the site.',
  })
  viewer(@Context() context: MemberContext, @Info() info: GraphQLResolveInfo): Promise<unknown> {
    return this.viewers.readViewer(info, context);
  }

  @ResolveField(() => EnrolledCourseConnection, {
    nullable: true,
    description: 'The courses that the member is enrolled in, newest enrollment first.',
  })
  enrolledCourses(
    @Args() _page: EnrolledCourseArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => PurchasedDigitalProductConnection, {
    nullable: true,
    description: 'The digital products that the member has, newest first.',
  })
  digitalProducts(
    @Args() _page: DigitalProductArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => PurchasedConsultingServiceConnection, {
    nullable: true,
    description: 'The consulting services of which the member has sessions, newest first.',
  })
  consultingServices(
    @Args() _page: PageArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => EventRegistrationConnection, {
    nullable: true,
    description: 'The events that the member has registered for, newest registration first.',
  })
  eventRegistrations(
    @Args() _page: EventRegistrationArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => NotificationConnection, { nullable: true, description: 'The inbox, newest first.' })
  notifications(
    @Args() _page: NotificationArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }

  @ResolveField(() => NotificationSubscriptionConnection, {
    nullable: true,
    description:
      "The member's notification choices and their channels: whole topics first, then the topics of single courses.",
  })
  notificationSubscriptions(
    @Args() _page: PageArgs,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }
}
