import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { keptWhileOrdered } from '#src/pending-orders/ordered-item.policy.js';
import { ConsultingService } from './consulting-service.entity.js';
import { consultingService } from './consulting-service.schema.js';
import { ConsultingServiceService } from './consulting-service.service.js';

export const consultingServiceCollection = collection({
  name: 'consulting_services',
  scope: 'courses',
  service: ConsultingServiceService,
  row: ConsultingService,
  resource: consultingService,
  etag: ({ revision }) => rowTag(revision),
  toolItem: ['id', 'slug', 'name', 'state', 'duration_minutes', 'sessions_included', 'lecturer_ids', 'updated_at'],
  operations: {
    list: {
      id: 'listConsultingServices',
      summary: 'List consulting services',
      description: 'Returns consulting services of every state, without their descriptions.',
      tool: {
        description:
          'Lists the consulting services of this site, drafts and archived ones included, newest first. Use it to manage ' +
          'sessions that members buy, and for the ids that list_consulting_slots takes.',
      },
      run: (services, { principal, query }) => services.list(principal, query),
    },
    get: {
      id: 'getConsultingService',
      summary: 'Get a consulting service',
      description: 'Returns a consulting service of any state with its description.',
      tool: {
        description:
          'Reads one consulting service of any state, with its terms and its lecturers. Use it before changing a service ' +
          'or adding slots to it.',
      },
      run: (services, { principal, id }) => services.get(principal, id),
    },
    create: {
      id: 'createConsultingService',
      summary: 'Create a consulting service',
      description:
        'The new service is a draft: only operators see it until it is published. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a consulting service as a draft, for owners and admins. Use it to offer sessions with a lecturer; ' +
          'publish_consulting_service shows it.',
      },
      run: (services, { principal, body, tx }) => services.create(principal, body, tx),
    },
    upsert: {
      id: 'putConsultingService',
      summary: 'Create or update a consulting service',
      description:
        'Creates the service of the `external_id` as a draft, or changes the fields that the body names. ' +
        keptWhileOrdered('service'),
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (services, request) => services.upsert(request),
    },
    update: {
      id: 'updateConsultingService',
      summary: 'Update a consulting service',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Slots and purchases keep the terms that they were ' +
        `made with. ${keptWhileOrdered('service')} An archived service cannot change.`,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes the given members of a consulting service: absent ones stay, null clears. Use it to edit a service that ' +
          'is not archived; only owners and admins set its price and its lecturers.',
      },
      run: (services, { principal, body, tx, ...key }) => services.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishConsultingService',
        summary: 'Publish a consulting service',
        description: 'From draft or unpublished. `published_at` keeps the first publication.',
        problems: ['invalid_state'],
        tool: {
          description:
            'Shows a draft or unpublished consulting service to visitors. Use it when a service is ready; ' +
            'unpublish_consulting_service hides it.',
        },
        run: (services, { principal, tx, ...key }) => services.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishConsultingService',
        summary: 'Unpublish a consulting service',
        description: 'From published. Purchases stay, and their sessions can still be booked.',
        problems: ['invalid_state'],
        tool: {
          description:
            'Hides a published consulting service from visitors; purchases and bookings stay. Use it to sell no more of a ' +
            'service; publish_consulting_service shows it again.',
        },
        run: (services, { principal, tx, ...key }) => services.move(principal, key, 'unpublish', tx),
      },
      archive: {
        id: 'archiveConsultingService',
        summary: 'Archive a consulting service',
        description: 'From unpublished, and for good. Booked sessions stay; no others can be booked.',
        ends: true,
        problems: ['invalid_state'],
        tool: {
          description:
            'Closes an unpublished consulting service for good: booked sessions stay, and no others can be booked. Use it ' +
            'for a service that is over; it cannot be undone.',
        },
        run: (services, { principal, tx, ...key }) => services.move(principal, key, 'archive', tx),
      },
    },
    delete: {
      id: 'deleteConsultingService',
      summary: 'Delete a consulting service',
      description: 'For good, and only without slots, purchases and pending orders. Needs the role owner or admin.',
      problems: ['resource_in_use', 'forbidden'],
      tool: {
        description:
          'Deletes a consulting service without slots and purchases; any other is refused with resource_in_use. Use it ' +
          'for a mistake; archive_consulting_service is for one that is over.',
      },
      run: (services, { principal, tx, ...key }) => services.remove(principal, key, tx),
    },
  },
});
