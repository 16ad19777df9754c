import { z } from 'zod';
import { instantOut, money, searchText, slug, truncated } from '@lyceum/rest';
import { itemsOf, toolPage } from '@lyceum/tools';
import { publicDigitalProduct } from '#src/digital-products/digital-product.view.js';
import { publicEvent } from '#src/events/public-event.tools.js';
import { publicMembershipPlan } from '#src/membership-plans/public-membership-plan.tools.js';
import { publicCourse } from './public-course.view.js';

export const ITEM_TYPES = ['course', 'digital_product', 'event', 'membership_plan'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

const type = z.enum(ITEM_TYPES);

export const searchInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name, subtitle or slug'),
  type: type.optional().describe('Only items of this type'),
  ...toolPage,
});

export const searchOutput = itemsOf(
  z.object({
    type,
    slug: z.string(),
    name: z.string(),
    subtitle: z.string().nullable().describe('Subtitle of a course'),
    price_from: money.nullable().describe('The lowest of its prices; null when it has none here or is free'),
    starts_at: instantOut.nullable().describe('Start of an event'),
  }),
);

export const itemInput = z.object({
  type: type.describe('Kind of the item'),
  slug: slug.describe('Slug of the item; browse_catalog has it'),
});

/** The member with the name of the type is an object; the members of the other types are null. */
export const itemOutput = z.object({
  type,
  slug: z.string(),
  name: z.string(),
  description_html: z.string().nullable(),
  description_truncated: truncated,
  course: publicCourse.omit({ slug: true, name: true, description_html: true, description_truncated: true }).nullable(),
  digital_product: publicDigitalProduct.nullable(),
  event: publicEvent.nullable(),
  membership_plan: publicMembershipPlan.nullable(),
});
export type CatalogItem = z.infer<typeof itemOutput>;
