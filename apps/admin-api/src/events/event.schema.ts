import { z } from 'zod';
import { httpsUrl, instantText, instantOut, money, moneyIn, multiline, name, slug, text, timezone } from '@lyceum/rest';

export const HOSTING_TYPES = ['zoom', 'live_session', 'custom', 'in_person'] as const;

/** What a declaration says of an event. */
export const eventDeclaration = z
  .strictObject({
    /** Of an event that other declarations name too. */
    id: z.uuid().optional(),
    slug,
    name: name(200),
    description_html: multiline(100_000).nullable().default(null),
    image_url: httpsUrl.nullable().default(null),
    state: z.enum(['published', 'draft']).default('draft'),
    hosting_type: z.enum(HOSTING_TYPES),
    join_url: httpsUrl.nullable().default(null),
    location: text(300).nullable().default(null),
    starts_at: instantText,
    ends_at: instantText,
    timezone: timezone.default('UTC'),
    capacity: z.int().min(1).max(1_000_000).nullable().default(null),
    tickets: z
      .array(z.strictObject({ name: name(100), price: moneyIn }))
      .max(20)
      .default([]),
  })
  .refine(({ starts_at, ends_at }) => new Date(ends_at) > new Date(starts_at), 'It ends before it begins');
export type EventDeclaration = z.infer<typeof eventDeclaration>;

/** What everybody may read of an event, beside what all items of the catalogue have. Never how to join it. */
export const publicEvent = z.object({
  hosting_type: z.enum(HOSTING_TYPES),
  location: z.string().nullable(),
  starts_at: instantOut,
  ends_at: instantOut,
  timezone: z.string().describe('The zone in which people at the place read the times'),
  full: z.boolean().describe('Nobody more can register'),
  tickets: z.array(z.object({ name: z.string(), price: money })).describe('None: it is free'),
});
