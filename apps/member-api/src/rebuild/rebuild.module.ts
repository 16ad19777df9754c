import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@lyceum/messaging';
import { DatabaseModule } from '@lyceum/platform';
import type { Configuration } from '#src/configuration.js';
import { ClientsCopy } from '#src/clients/clients.copy.js';
import { ClientsRepository } from '#src/clients/clients.repository.js';
import { ConsultingServicesCopy } from '#src/consulting-services/consulting-services.copy.js';
import { ConsultingServicesRepository } from '#src/consulting-services/consulting-services.repository.js';
import { SERVICE, databaseOptions } from '#src/database.js';
import { DigitalProductsCopy } from '#src/digital-products/digital-products.copy.js';
import { DigitalProductsRepository } from '#src/digital-products/digital-products.repository.js';
import { EnrolledCoursesCopy } from '#src/enrolled-courses/enrolled-courses.copy.js';
import { EnrolledCoursesRepository } from '#src/enrolled-courses/enrolled-courses.repository.js';
import { EventRegistrationsCopy } from '#src/event-registrations/event-registrations.copy.js';
import { EventRegistrationsRepository } from '#src/event-registrations/event-registrations.repository.js';
import { PeopleCopy } from '#src/people/people.copy.js';
import { PeopleRepository } from '#src/people/people.repository.js';
import { PostsCopy } from '#src/posts/posts.copy.js';
import { PostsRepository } from '#src/posts/posts.repository.js';
import { SchoolsCopy } from '#src/schools/schools.copy.js';
import { SchoolsRepository } from '#src/schools/schools.repository.js';

/** Every copy that can be made anew. */
export const COPIES = [
  ClientsCopy,
  SchoolsCopy,
  PeopleCopy,
  EnrolledCoursesCopy,
  DigitalProductsCopy,
  ConsultingServicesCopy,
  EventRegistrationsCopy,
  PostsCopy,
] as const;

const REPOSITORIES = [
  ClientsRepository,
  SchoolsRepository,
  PeopleRepository,
  EnrolledCoursesRepository,
  DigitalProductsRepository,
  ConsultingServicesRepository,
  EventRegistrationsRepository,
  PostsRepository,
];

/** A whole table takes longer than any request may: the client's own limits are off. */
const NO_LIMITS = { statement: 0, query: 0, idleInTransaction: 0 };

/** What `rebuild` needs, and nothing that serves. */
@Module({})
export class RebuildModule {
  static forRoot(config: Configuration): DynamicModule {
    return {
      module: RebuildModule,
      imports: [
        DatabaseModule.forRoot({ ...databaseOptions(config), limits: NO_LIMITS }),
        MessagingModule.forRoot({ service: SERVICE, nats: config, database: true }),
      ],
      providers: [...REPOSITORIES, ...COPIES],
    };
  }
}
