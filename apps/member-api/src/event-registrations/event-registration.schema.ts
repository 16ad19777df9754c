import { ArgsType, Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { PageArgs, connectionOf } from '#src/paging/connection.schema.js';

export enum EventHostingType {
  ZOOM = 'ZOOM',
  LIVE_SESSION = 'LIVE_SESSION',
  CUSTOM = 'CUSTOM',
  IN_PERSON = 'IN_PERSON',
}
registerEnumType(EventHostingType, {
  name: 'EventHostingType',
  description: 'How an event is held.',
  valuesMap: {
    ZOOM: { description: 'A Zoom meeting.' },
    LIVE_SESSION: { description: 'A live session of the site.' },
    CUSTOM: { description: 'An online event at a URL of the school.' },
    IN_PERSON: { description: 'An event at a place.' },
  },
});

export enum EventRegistrationState {
  REGISTERED = 'REGISTERED',
  WAITLISTED = 'WAITLISTED',
  CHECKED_IN = 'CHECKED_IN',
  NO_SHOW = 'NO_SHOW',
  CANCELED = 'CANCELED',
}
registerEnumType(EventRegistrationState, {
  name: 'EventRegistrationState',
  description: 'Where a registration stands.',
  valuesMap: {
    REGISTERED: { description: 'The member has a place.' },
    WAITLISTED: { description: 'The member waits for a place.' },
    CHECKED_IN: { description: 'The member came.' },
    NO_SHOW: { description: 'The member did not come.' },
    CANCELED: { description: 'The registration, or the event, was called off.' },
  },
});

@ObjectType({
  implements: () => [Node],
  description: 'A registration of the member for an event: the registration and the event in one.',
})
export class EventRegistration {
  @Field(() => ID, { description: 'Identifier of the registration.' })
  id!: string;

  @Field(() => ID, { description: 'Identifier of the event.' })
  eventId!: string;

  @Field(() => String, { description: 'Slug of the event, unique at the site.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the event.' })
  name!: string;

  @Field(() => UrlScalar, { nullable: true, description: 'Picture of the event.' })
  imageUrl!: string | null;

  @Field(() => UrlScalar, {
    description: 'Address of the event at the site of the API, which has no page.',
    deprecationReason: 'Use slug for the address of your own page.',
  })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When the event begins.' })
  startsAt!: string;

  @Field(() => DateTimeScalar, { description: 'When the event ends.' })
  endsAt!: string;

  @Field(() => String, { description: 'Time zone of the event, by its IANA name.' })
  timezone!: string;

  @Field(() => EventHostingType, { description: 'How the event is held.' })
  hostingType!: EventHostingType;

  @Field(() => String, { nullable: true, description: 'Where the event is held; null for one that is online only.' })
  location!: string | null;

  @Field(() => UrlScalar, { nullable: true, description: 'Where to join the event; null unless state is REGISTERED.' })
  joinUrl!: string | null;

  @Field(() => UrlScalar, {
    description:
      'Leads to an iCalendar file of the event for ten minutes, without an access token. A later file of the same event replaces it.',
  })
  calendarUrl!: string;

  @Field(() => ID, { nullable: true, description: 'Identifier of the ticket; null for an event without tickets.' })
  ticketId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the ticket; null for an event without tickets.' })
  ticketName!: string | null;

  @Field(() => EventRegistrationState, { description: 'Where the registration stands.' })
  state!: EventRegistrationState;

  @Field(() => DateTimeScalar, { description: 'When the member registered.' })
  registeredAt!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the member came; null before.' })
  checkedInAt!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the registration was called off; null if not.' })
  canceledAt!: string | null;
}

export const EventRegistrationConnection = connectionOf(
  EventRegistration,
  'EventRegistration',
  'the event registrations of the member',
);

@ArgsType()
export class EventRegistrationArgs extends PageArgs {
  @Field(() => [EventRegistrationState], { nullable: true, description: 'Only registrations in one of these states.' })
  states?: EventRegistrationState[];
}
