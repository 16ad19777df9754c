import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { HOSTING_TYPES } from '@lyceum/contracts';
import {
  externalId,
  html,
  httpsUrl,
  idIn,
  instantOut,
  metadata,
  moneyIn,
  name,
  slug,
  text,
  timezone,
} from '@lyceum/rest';
import { z } from 'zod';
import { PUBLICATION_STATES } from '#src/publication/publication.policy.js';
import { CONSULTING_SERVICE_TEXT } from './consulting-service.listing.js';

const DAY_MINUTES = 1440;
/** Ten years. */
const MAX_VALIDITY_DAYS = 3650;
/** Thirty days. */
const MAX_NOTICE_HOURS = 720;

const lecturerIds = z
  .array(idIn)
  .max(20)
  .refine((list) => new Set(list).size === list.length, 'A lecturer occurs twice')
  .meta({ description: 'Lecturers who hold its sessions, the first one shown. Only owners and admins can set them.' });

const EXAMPLE = {
  id: '019ab3d0-1a10-7a11-8b22-3c33d44e5500',
  slug: 'one-to-one',
  name: 'One to One',
  description_html: '<p>One hour about your charts.</p>',
  image_url: null,
  state: 'published',
  timezone: 'Asia/Taipei',
  duration_minutes: 60,
  sessions_included: 3,
  validity_days: 182,
  cancel_notice_hours: 24,
  price: { amount_minor: 300_000, currency: 'TWD' },
  lecturer_ids: ['019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80'],
  hosting_type: 'live_session',
  location: null,
  join_url: null,
  external_id: 'one-to-one',
  metadata: {},
  published_at: '2026-11-20T08:00:00.000Z',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const consultingService = resource('ConsultingService', {
  one: 'consulting service',
  fields: {
    slug: editable(slug.meta({ description: 'Unique at the site: lower-case words and hyphens' })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    description_html: editable(html(100_000).nullable(), null),
    image_url: editable(httpsUrl.nullable().meta({ description: 'Picture of the service: an https URL' }), null),
    state: readOnly(z.enum(PUBLICATION_STATES)),
    timezone: editable(timezone.meta({ description: 'IANA name of the zone in which sessions are offered' }), 'UTC'),
    duration_minutes: editable(
      z
        .int()
        .min(5)
        .max(DAY_MINUTES)
        .meta({ description: 'Length of a session, which sets the end of a slot without `ends_at`' }),
      60,
    ),
    sessions_included: editable(z.int().min(1).max(1000).meta({ description: 'Sessions of one purchase' }), 1),
    validity_days: editable(
      z
        .int()
        .min(1)
        .max(MAX_VALIDITY_DAYS)
        .nullable()
        .meta({ description: 'Days in which the sessions of a purchase can be booked; null: no end' }),
      null,
    ),
    cancel_notice_hours: editable(
      z.int().min(0).max(MAX_NOTICE_HOURS).meta({
        description: 'Hours before the start until which a cancellation returns the session; a later one uses it',
      }),
      24,
    ),
    price: editable(
      moneyIn.nullable().meta({
        description: 'Price of one purchase, in the currency of the school if it has set one; null: not for sale',
      }),
      null,
    ),
    lecturer_ids: editable(lecturerIds, []),
    hosting_type: editable(z.enum(HOSTING_TYPES).meta({ description: 'Where sessions take place' }), 'live_session'),
    location: editable(text(300).nullable().meta({ description: 'Where to come; null: online' }), null),
    join_url: editable(
      httpsUrl
        .nullable()
        .meta({ description: 'Address where members join; slots without their own `join_url` use it' }),
      null,
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
    published_at: readOnly(instantOut.nullable().meta({ description: 'First publication' })),
  },
  details: ['description_html'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PUBLICATION_STATES), external_id: externalId },
  search: { text: CONSULTING_SERVICE_TEXT, in: 'name or slug' },
  examples: {
    object: EXAMPLE,
    create: { slug: EXAMPLE.slug, name: EXAMPLE.name, sessions_included: 3, price: EXAMPLE.price },
    patch: { duration_minutes: 90, price: { amount_minor: 500_000 } },
  },
});
export type ConsultingServiceCreate = CreateOf<typeof consultingService>;
export type ConsultingServicePatch = PatchOf<typeof consultingService>;
export type ConsultingServiceListQuery = ListQueryOf<typeof consultingService>;
