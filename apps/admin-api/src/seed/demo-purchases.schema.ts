import { z } from 'zod';
import { instant as date, name, slug, text } from '@lyceum/rest';

/** Events have instants as text. */
const instantText = date.transform((value) => value.toISOString());

/** Purchases and registrations of members. Products and events are those of the site, by their slugs. */
export const purchasesSchema = z.strictObject({
  consulting_services: z
    .array(z.strictObject({ slug, name: name(200), lecturer_name: name(200).optional(), timezone: text(100) }))
    .default([]),
  members: z
    .array(
      z.strictObject({
        person_id: z.uuid(),
        since: instantText,
        digital_products: z.array(slug).default([]),
        consulting_services: z
          .array(
            z.strictObject({
              slug,
              sessions_total: z.int().nonnegative(),
              bookings: z
                .array(z.strictObject({ starts_at: instantText, ends_at: instantText, join_url: z.url().optional() }))
                .default([]),
            }),
          )
          .default([]),
        events: z.array(slug).default([]),
      }),
    )
    .default([]),
});
export type Purchases = z.infer<typeof purchasesSchema>;
export type MemberPurchases = Purchases['members'][number];
