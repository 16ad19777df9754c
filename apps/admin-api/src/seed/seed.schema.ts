import { z } from 'zod';
import { email, slug, text } from '#src/validation/fields.js';

/** What `apply` reads: a declaration of what shall be there. */
export const seedSchema = z.strictObject({
  sites: z.array(
    z.strictObject({
      site_id: z.uuid(),
      courses: z
        .array(
          z.strictObject({
            slug,
            name: text(200),
            subtitle: text(300).optional(),
            state: z.enum(['published', 'draft']).default('draft'),
          }),
        )
        .default([]),
      students: z.array(z.strictObject({ email, name: text(200), enrollments: z.array(slug).default([]) })).default([]),
    }),
  ),
});
export type Seed = z.infer<typeof seedSchema>;
export type SiteSeed = Seed['sites'][number];
