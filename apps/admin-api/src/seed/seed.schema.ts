import { z } from 'zod';
import { appearance } from '#src/appearance/appearance.schema.js';
import { lecturerDeclaration } from '#src/lecturers/lecturer.schema.js';
import { schoolDeclaration } from '#src/school/school.schema.js';

/** The declaration that `apply` reads. */
export const seedSchema = z.strictObject({
  sites: z.array(
    z.strictObject({
      site_id: z.uuid(),
      school: schoolDeclaration.optional(),
      appearance: appearance.patch.optional(),
      lecturers: z.array(lecturerDeclaration).default([]),
    }),
  ),
});
export type Seed = z.infer<typeof seedSchema>;
export type SiteSeed = Seed['sites'][number];
