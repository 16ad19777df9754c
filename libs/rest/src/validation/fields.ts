import { instantSchema } from '@lyceum/contracts';
import { isTimeZone, isVisibleLine, startOfDate, timeZoneName } from '@lyceum/platform';
import { z } from 'zod';

/**
 * Control characters of 7 and 8 bits, but for tabs and line breaks. PostgreSQL cannot store NUL, and terminals execute
 * the others.
 */
// oxlint-disable-next-line no-control-regex -- the characters to refuse
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Tabs and everything that ends a line. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;

/** jsonb cannot store half of a surrogate pair. */
const storable = (value: string): boolean => !CONTROL.test(value) && value.isWellFormed();

/** Removes the characters that the schemas of texts refuse. */
export const withoutControls = (value: string): string => value.replaceAll(new RegExp(CONTROL, 'g'), '');

/** One line that PostgreSQL can store. */
const isLine = (value: string): boolean => storable(value) && !LINE_BREAK.test(value);

/** Returns the schema of one line with 1 to `max` characters. Spaces at its ends are removed. */
export function text(max: number) {
  return z.string().trim().min(1).max(max).refine(isLine, 'Control characters and line breaks are not allowed');
}

/** Returns the schema of a name, as `text` without invisible characters, because mails and pages show it unchanged. */
export function name(max: number) {
  return text(max).refine((value) => !isLine(value) || isVisibleLine(value), 'Invisible characters are not allowed');
}

/** Returns the schema of text with at most `max` characters, which can be empty and have line breaks. */
export function multiline(max: number) {
  return z.string().max(max).refine(storable, 'Control characters are not allowed');
}

/** An https URL with a domain name, at most 2,048 characters. */
export const httpsUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'An https URL is needed' })
  .max(2048)
  .refine(storable, 'Control characters are not allowed');

/** Lower-case words joined by hyphens, at most 100 characters. */
export const slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Lower-case letters, digits and single hyphens');

/** The pattern of zod, which has letters alone in top-level domains, and A-labels of RFC 5890 §2.3.2.1. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]{0,58}[a-z\d])$/i;

/** An e-mail address in lower case, at most 254 characters (RFC 5321 §4.5.3.1.3). */
export const email = z.email({ pattern: ADDRESS }).max(254).toLowerCase();

/** A language tag of BCP 47 with language, script and region: `zh-Hant-TW`, `en`. */
export const locale = z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/, 'A language tag such as zh-TW');

/** A name of the IANA time zone database, at most 64 characters, in its own spelling where `Intl` lists it. */
export const timezone = z.string().refine(isTimeZone, 'A time zone such as Asia/Taipei').overwrite(timeZoneName);

/** A phone number in E.164 form. */
export const phoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'International form, such as +886912345678');

/** Up to 50 different tags of 1 to 50 characters. */
export const tags = z
  .array(text(50))
  .max(50)
  .refine((list) => new Set(list).size === list.length, 'A tag occurs twice');

/** A filter by one of the tags. */
export const tag = text(50).meta({ description: 'Only objects with this tag' });

/** The id of an object in a request: a UUID, which capital letters do not change. */
export const idIn = z.uuid().toLowerCase();

/** The id of an object in the system of the caller: unique at the site, at most 255 characters. */
export const externalId = text(255).meta({ description: 'Id in the system of the caller; unique at the site' });

const MAX_METADATA = 50;

/** Values of callers: up to 50 keys of 1 to 40 characters, with values of up to 500 characters. */
export const metadata = z
  .record(z.string().regex(/^[\w.-]{1,40}$/, '1 to 40 letters, digits, _, . and -'), multiline(500))
  .refine((value) => Object.keys(value).length <= MAX_METADATA, `At most ${MAX_METADATA} keys`)
  .meta({ description: `Values of the caller: at most ${MAX_METADATA} keys` });

/** Describes an instant in a request. JSON Schema has no format for both, and `date-time` refuses a date. */
export const INSTANT_OR_DATE = {
  pattern: String.raw`^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$`,
  description: 'RFC 3339 instant, or a date: its start at the school',
};

/**
 * An instant of RFC 3339 as text, or a date, which stands for its start in the time zone of the site. PostgreSQL has no
 * year 0, and responses have years of four digits in UTC.
 */
export const instantText = z
  .string()
  .max(40)
  .meta(INSTANT_OR_DATE)
  .transform(startOfDate)
  .pipe(
    z.iso
      .datetime({ offset: true, abort: true })
      .refine((value) => isWritable(new Date(value)), 'Out of range')
      // The parameters of queries are described as this schema.
      .meta({ ...INSTANT_OR_DATE, format: undefined }),
  );

/** False for an instant that a sum of dates has led out of the years of four digits. */
export const isWritable = (value: Date): boolean => value.getUTCFullYear() >= 1 && value.getUTCFullYear() <= 9999;

/** An instant of RFC 3339 in a body, truncated to milliseconds. */
export const instant = instantText.transform((value) => new Date(value));

/** An instant in a response: RFC 3339 in UTC with milliseconds. */
export const instantOut = instantSchema;

/** Returns an instant in the form of responses. */
export function iso(date: Date): string;
export function iso(date: Date | null): string | null;
export function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** The body of an action without parameters: none, or an empty object. */
export const emptyBody = z.strictObject({}).optional();

/** Lets a request leave out the body if each of its members is optional. */
export function optionalBody(body: z.ZodObject): z.ZodType {
  return body.safeParse({}).success ? body.prefault({}) : body;
}
