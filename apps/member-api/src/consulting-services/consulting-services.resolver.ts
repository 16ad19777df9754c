import { Args, Context, Info, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { MemberContext } from '#src/schema/member.context.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import {
  BookingArgs,
  ConsultingBookingConnection,
  PurchasedConsultingService,
} from './purchased-consulting-service.schema.js';

@Resolver(() => PurchasedConsultingService)
export class ConsultingServicesResolver {
  constructor(private readonly viewers: ViewerService) {}

  @ResolveField(() => ConsultingBookingConnection, {
    nullable: true,
    description: 'The sessions that the member has booked, latest first.',
  })
  bookings(
    @Args() _page: BookingArgs,
    @Parent() parent: Record<string, unknown>,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): unknown {
    return this.viewers.partOf(parent, info, context);
  }
}
