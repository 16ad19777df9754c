import { z } from 'zod';
import { slug, text } from '#src/validation/fields.js';

const instant = z.iso.datetime();

const file = z.strictObject({
  name: text(200),
  content_type: text(200),
  size_bytes: z.int().nonnegative(),
  storage_url: z.url({ protocol: /^https?$/ }),
});

/** What members have bought, registered for and watched, with the things themselves. */
export const holdingsSchema = z.strictObject({
  digital_products: z
    .array(
      z.strictObject({
        slug,
        name: text(200),
        description: text(2000).optional(),
        download_limit: z.int().positive().optional(),
        files: z.array(file).max(100),
      }),
    )
    .default([]),
  consulting_services: z
    .array(z.strictObject({ slug, name: text(200), lecturer_name: text(200).optional(), timezone: text(100) }))
    .default([]),
  events: z
    .array(
      z.strictObject({
        slug,
        name: text(200),
        hosting_type: z.enum(['zoom', 'live_session', 'custom', 'in_person']),
        join_url: z.url().optional(),
        location: text(200).optional(),
        starts_at: instant,
        ends_at: instant,
        timezone: text(100),
      }),
    )
    .default([]),
  members: z
    .array(
      z.strictObject({
        person_id: z.uuid(),
        since: instant,
        digital_products: z.array(slug).default([]),
        consulting_services: z
          .array(
            z.strictObject({
              slug,
              sessions_total: z.int().nonnegative(),
              bookings: z
                .array(z.strictObject({ starts_at: instant, ends_at: instant, join_url: z.url().optional() }))
                .default([]),
            }),
          )
          .default([]),
        events: z.array(slug).default([]),
        progress: z
          .array(
            z.strictObject({
              course: slug,
              lecture_title: text(200),
              position_seconds: z.int().nonnegative(),
              watched_at: instant,
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});
export type Holdings = z.infer<typeof holdingsSchema>;
export type MemberHoldings = Holdings['members'][number];
