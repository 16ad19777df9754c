import { readOnly, resource } from '@lyceum/collections';
import type { ObjectOf } from '@lyceum/collections';
import { currency, email, httpsUrl, locale, name, timezone } from '@lyceum/rest';
import { z } from 'zod';

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

/** Public. Except for name and URL, a member is null until the school sets it. */
export const school = resource('School', {
  one: 'school',
  common: [],
  fields: {
    id: readOnly(z.string().describe('`org_id` of tokens and claims')),
    name: readOnly(z.string()),
    url: readOnly(z.string()),
    locale: readOnly(z.string().nullable()),
    timezone: readOnly(z.string().nullable().describe('IANA name')),
    currency: readOnly(z.string().nullable().describe('ISO 4217')),
    contact_email: readOnly(z.string().nullable()),
    support_url: readOnly(z.string().nullable()),
    terms_url: readOnly(z.string().nullable()),
    privacy_url: readOnly(z.string().nullable()),
  },
  examples: {
    object: {
      id: 'org_4b8x2m',
      name: 'Watercolor School',
      url: 'https://school.example',
      locale: 'en',
      timezone: 'Asia/Taipei',
      currency: 'TWD',
      contact_email: 'office@example.com',
      support_url: null,
      terms_url: null,
      privacy_url: null,
    },
  },
});
export type SchoolProfile = ObjectOf<typeof school>;
