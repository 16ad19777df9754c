import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { PageArgs, connectionOf } from '#src/paging/connection.schema.js';

export enum ConsultingBookingState {
  SCHEDULED = 'SCHEDULED',
  COMPLETED = 'COMPLETED',
  NO_SHOW = 'NO_SHOW',
  CANCELED = 'CANCELED',
}
registerEnumType(ConsultingBookingState, {
  name: 'ConsultingBookingState',
  description: 'The state of a booked session.',
  valuesMap: {
    SCHEDULED: { description: 'It is to come, or takes place now.' },
    COMPLETED: { description: 'It took place.' },
    NO_SHOW: { description: 'The member did not come.' },
    CANCELED: { description: 'It was called off.' },
  },
});

@ObjectType({ description: 'The lecturer of a consulting service.' })
export class ConsultingLecturer {
  @Field(() => ID, { description: 'Identifier of the lecturer.' })
  id!: string;

  @Field(() => String, { description: 'Name of the lecturer.' })
  name!: string;
}

@ObjectType({ implements: () => [Node], description: 'A session that the member has booked.' })
export class ConsultingBooking {
  @Field(() => ID, { description: 'Identifier of the session.' })
  id!: string;

  @Field(() => DateTimeScalar, { description: 'When it begins.' })
  startsAt!: string;

  @Field(() => DateTimeScalar, { description: 'When it ends.' })
  endsAt!: string;

  @Field(() => ConsultingBookingState, { description: 'The state of the session.' })
  state!: ConsultingBookingState;

  @Field(() => UrlScalar, { nullable: true, description: 'Where to join it; null unless it is scheduled.' })
  joinUrl!: string | null;
}

export const ConsultingBookingConnection = connectionOf(
  ConsultingBooking,
  'ConsultingBooking',
  'the sessions that the member has booked',
);

/** The bookings are a method of the resolver, because they have arguments. */
@ObjectType({ implements: () => [Node], description: 'A consulting service of which the member has bought sessions.' })
export class PurchasedConsultingService {
  @Field(() => ID, { description: 'Identifier of the purchase of the service.' })
  id!: string;

  @Field(() => ID, { description: 'Identifier of the service.' })
  serviceId!: string;

  @Field(() => String, { description: 'Slug of the service, unique at the site.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the service.' })
  name!: string;

  @Field(() => ConsultingLecturer, { nullable: true, description: 'The lecturer; null while none is assigned.' })
  lecturer!: ConsultingLecturer | null;

  @Field(() => String, { description: 'Time zone in which the sessions are offered, by its IANA name.' })
  timezone!: string;

  @Field(() => DateTimeScalar, { description: 'Since when the member has the sessions.' })
  purchasedAt!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when sessions can be booked; null for no end.',
  })
  expireDate!: string | null;

  @Field(() => Int, { description: 'How many sessions there are in all.' })
  sessionsTotal!: number;

  @Field(() => Int, { description: 'How many sessions are used up, as the school counts them.' })
  sessionsUsed!: number;

  @Field(() => Int, { description: 'How many sessions are left; never below 0.' })
  sessionsRemaining!: number;
}

export const PurchasedConsultingServiceConnection = connectionOf(
  PurchasedConsultingService,
  'PurchasedConsultingService',
  'the consulting services of the member',
);

@ArgsType()
export class BookingArgs extends PageArgs {
  @Field(() => [ConsultingBookingState], { nullable: true, description: 'Only sessions in one of these states.' })
  states?: ConsultingBookingState[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only scheduled sessions that have not ended. False: only the others.',
  })
  isUpcoming?: boolean;
}
