import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';
import type { Surface } from '@lyceum/rest';
import { DigitalProductController } from './digital-products/digital-product.controller.js';
import { EventController } from './events/event.controller.js';
import { LecturerController } from './lecturers/lecturer.controller.js';
import { MembershipPlanController } from './membership-plans/membership-plan.controller.js';
import { PageController } from './pages/page.controller.js';

const collected = surfaceOf(collections);

/** Everything that the OpenAPI document describes, in its order. */
export const surface: Surface = {
  controllers: [
    ...collected.controllers,
    DigitalProductController,
    EventController,
    MembershipPlanController,
    LecturerController,
    PageController,
  ],
  tags: {
    ...collected.tags,
    digital_products: 'Files that the site sells.',
    events: 'Events that people register for, online or at a place.',
    lecturers: 'People who teach, as the site shows them.',
    membership_plans: 'Plans that give access to courses for a period.',
    pages: 'Static pages of the site.',
  },
};
