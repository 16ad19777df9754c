import { editable, readOnly, resource } from '@lyceum/collections';
import type { ObjectOf, PatchOf } from '@lyceum/collections';
import { currency, email, httpsUrl, instantOut, locale, name, timezone } from '@lyceum/rest';
import { z } from 'zod';
import { urlTemplates } from '#src/urls/url-template.policy.js';
import { memberFields } from './member-field.schema.js';

/** The school of a site in a declaration of `apply`. */
export const schoolDeclaration = z.strictObject({
  name: name(200),
  locale: locale.default('en'),
  timezone: timezone.default('UTC'),
  currency,
  contact_email: email.nullable().default(null),
  support_url: httpsUrl.nullable().default(null),
  terms_url: httpsUrl.nullable().default(null),
  privacy_url: httpsUrl.nullable().default(null),
});
export type SchoolDeclaration = z.infer<typeof schoolDeclaration>;

const unset = (description: string) => ({ description: `${description}; null: not set` });

const legal = z.strictObject({
  name: name(200).nullable().default(null).meta(unset('Name of the company or person who runs the school')),
  terms_url: httpsUrl.nullable().default(null).meta(unset('Terms of service: an https URL')),
  privacy_url: httpsUrl.nullable().default(null).meta(unset('Privacy policy: an https URL')),
});

const features = z.strictObject({
  mcp_connections: z
    .boolean()
    .nullable()
    .default(null)
    .meta({
      description:
        'true: owners and admins make OAuth applications for members in the admin area. false: `/mcp` accepts no access ' +
        'tokens, and none are issued for it. null: never switched; `/mcp` works, and the admin area has no applications.',
    }),
});

const EXAMPLE = {
  id: 'org_4b8x2m',
  name: 'Harbour School',
  url: 'https://school.example',
  locale: 'en',
  timezone: 'Asia/Taipei',
  currency: 'TWD',
  contact_email: 'office@school.example',
  support_url: null,
  legal: { name: 'Harbour School Ltd.', terms_url: 'https://www.example.com/terms', privacy_url: null },
  url_templates: {
    course: 'https://www.example.com/courses/{slug}',
    lecture: 'https://www.example.com/courses/{course_slug}/{slug}',
    lecturer: null,
  },
  features: { mcp_connections: true },
  subscription_grace_days: 7,
  member_fields: [{ key: 'cohort', type: 'choice', label: 'Cohort', options: ['morning', 'evening'] }],
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** Settings of a school. A member is null until the school sets it, except name and URL. */
export const school = resource('School', {
  one: 'school',
  common: [],
  fields: {
    id: readOnly(z.string().describe('`org_id` of tokens and claims')),
    name: editable(name(200).meta({ description: 'Name in pages, mails and tools. Default: the name of the site' })),
    url: readOnly(z.string()),
    locale: editable(locale.nullable().meta(unset('Language that the school teaches in: a BCP 47 tag'))),
    timezone: editable(timezone.nullable().meta(unset('Name of the IANA time zone database'))),
    currency: editable(currency.nullable().meta(unset('Of new prices, by ISO 4217'))),
    contact_email: editable(email.nullable().meta(unset('Address that members write to'))),
    support_url: editable(httpsUrl.nullable().meta(unset('Page with help: an https URL'))),
    legal: editable(legal.meta({ description: 'Operator of the school, and its legal pages' })),
    url_templates: editable(
      urlTemplates.meta({ description: 'URL templates of the pages that show objects on the web site of the school' }),
    ),
    features: editable(features.meta({ description: 'Parts of the product that the school switches' })),
    subscription_grace_days: editable(
      z
        .int()
        .min(0)
        .max(60)
        .meta({
          description:
            'Days of access after a period of a subscription that was not renewed. A change applies to periods that ' +
            'begin after it',
        }),
    ),
    member_fields: editable(memberFields),
    updated_at: readOnly(instantOut.nullable().meta({ description: 'null: the school never changed its settings' })),
  },
  examples: {
    object: EXAMPLE,
    patch: { name: EXAMPLE.name, url_templates: { course: EXAMPLE.url_templates.course } },
  },
});
export type SchoolPatch = PatchOf<typeof school>;

/** Settings that visitors can read. */
export const publicSchool = school.object.omit({
  url_templates: true,
  features: true,
  subscription_grace_days: true,
  member_fields: true,
  updated_at: true,
});
export type SchoolProfile = Omit<
  ObjectOf<typeof school>,
  'url_templates' | 'features' | 'subscription_grace_days' | 'member_fields' | 'updated_at'
>;
