import { instantSchema } from '@lyceum/contracts';
import { z } from 'zod';

/**
 * Control characters of 7 and 8 bits, but for tabs and line breaks. PostgreSQL cannot store NUL, and terminals execute
 * the others.
 */
// oxlint-disable-next-line no-control-regex -- the characters to refuse
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Tabs and everything that ends a line. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;

/** Characters without a shape: they reverse, join or hide what stands around them. */
const FORMAT = /\p{Cf}/u;

/** jsonb cannot store half of a surrogate pair. */
const storable = (value: string): boolean => !CONTROL.test(value) && value.isWellFormed();

/** One line of one to `max` characters, without spaces at its ends. */
export function text(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(
      (value) => storable(value) && !LINE_BREAK.test(value),
      'Control characters and line breaks are not allowed',
    );
}

/** A name: mails, pages and other people's lists show it as it is. */
export function name(max: number) {
  return text(max).refine((value) => !FORMAT.test(value), 'Invisible characters are not allowed');
}

/** Text that may be empty and may have line breaks. It is kept as it is. */
export function multiline(max: number) {
  return z.string().max(max).refine(storable, 'Control characters are not allowed');
}

export const httpsUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'An https URL is needed' })
  .max(2048)
  .refine(storable, 'Control characters are not allowed');

/** Lower-case words joined by hyphens. */
export const slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Lower-case letters, digits and single hyphens');

/** Compared in lower case everywhere. */
export const email = z.email().max(254).toLowerCase();

/** BCP 47, the part that sites use: `zh-TW`, `en`. */
export const locale = z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/, 'A language tag such as zh-TW');

const timeZones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
/** A name of the IANA time zone database. */
export const timezone = z.string().refine((value) => timeZones.has(value), 'A time zone such as Asia/Taipei');

/** E.164. */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'International form, such as +886912345678');

export const tags = z
  .array(text(50))
  .max(50)
  .refine((list) => new Set(list).size === list.length, 'A tag stands twice');

/** The caller's own id of an object, unique at the site. */
export const externalId = text(255).meta({ description: 'Id in the system of the caller; unique at the site' });

const MAX_METADATA = 50;

/** Values that callers keep with an object. */
export const metadata = z
  .record(z.string().regex(/^[\w.-]{1,40}$/, '1 to 40 letters, digits, _, . and -'), multiline(500))
  .refine((value) => Object.keys(value).length <= MAX_METADATA, `At most ${MAX_METADATA} keys`)
  .meta({ description: `Values of the caller: at most ${MAX_METADATA} keys` });

/** An instant of RFC 3339, as text. PostgreSQL has no year 0. */
export const instantText = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine((value) => new Date(value).getUTCFullYear() >= 1, 'Out of range');

/** An instant of RFC 3339 in a body; digits beyond milliseconds are cut off. */
export const instant = instantText.transform((value) => new Date(value));

/** An instant as every answer writes it. */
export const instantOut = instantSchema;

export function iso(date: Date): string;
export function iso(date: Date | null): string | null;
export function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** The body of a change of state: none, or an object without members. */
export const emptyBody = z.strictObject({}).optional();
