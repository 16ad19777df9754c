import { z } from 'zod';
import { appearance } from '#src/appearance/appearance.schema.js';
import { digitalProductDeclaration } from '#src/digital-products/digital-product.schema.js';
import { eventDeclaration } from '#src/events/event.schema.js';
import { lecturerDeclaration } from '#src/lecturers/lecturer.schema.js';
import { membershipPlanDeclaration } from '#src/membership-plans/membership-plan.schema.js';
import { pageDeclaration } from '#src/pages/page.schema.js';
import { schoolDeclaration } from '#src/school/school.schema.js';
import { purchasesSchema } from './demo-purchases.schema.js';

/** The declaration that `apply` reads. */
export const seedSchema = z.strictObject({
  sites: z.array(
    z.strictObject({
      site_id: z.uuid(),
      school: schoolDeclaration.optional(),
      appearance: appearance.patch.optional(),
      digital_products: z.array(digitalProductDeclaration).default([]),
      events: z.array(eventDeclaration).default([]),
      membership_plans: z.array(membershipPlanDeclaration).default([]),
      lecturers: z.array(lecturerDeclaration).default([]),
      pages: z.array(pageDeclaration).default([]),
      holdings: purchasesSchema.optional(),
    }),
  ),
});
export type Seed = z.infer<typeof seedSchema>;
export type SiteSeed = Seed['sites'][number];
