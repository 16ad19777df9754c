import { z } from 'zod';
import { currency, email, httpsUrl, locale, name, timezone } from '@lyceum/rest';

/** What a declaration says of the school of a site. */
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

/** What everybody may read. Beside name and URL, what a school has not said of itself is null. */
export const schoolProfile = z.object({
  name: z.string(),
  url: z.string(),
  locale: z.string().nullable(),
  timezone: z.string().nullable().describe('IANA name'),
  currency: z.string().nullable().describe('ISO 4217'),
  contact_email: z.string().nullable(),
  support_url: z.string().nullable(),
  terms_url: z.string().nullable(),
  privacy_url: z.string().nullable(),
});
export type SchoolProfile = z.infer<typeof schoolProfile>;
