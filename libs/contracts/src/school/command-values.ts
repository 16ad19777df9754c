import { z } from 'zod';
import { instantSchema } from '../platform/instant.js';

// PostgreSQL stores no NUL.
export const externalId = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\0'), 'NUL is not allowed');

/** Member of events: the key that operators gave to the object. The stores of collections set it. */
export const externalIdOfObject = z
  .string()
  .nullable()
  .default(null)
  .meta({ description: 'Id in the system of the operators; unique at the site' });

/** The id of an object in a command: a UUID, which capital letters do not change (RFC 9562 §4). */
export const idIn = z.uuid().toLowerCase();

/** Refers to a student of the site by one of three ids. `member_id` is `sub` in the tokens of a student at the site. */
export const studentReferenceSchema = z.union([
  z.strictObject({ id: idIn }),
  z.strictObject({ external_id: externalId }),
  z.strictObject({ member_id: idIn }),
]);
export type StudentReference = z.infer<typeof studentReferenceSchema>;

/** Refers to an object of the site by its id or `external_id`. */
export const referenceSchema = z.union([z.strictObject({ id: idIn }), z.strictObject({ external_id: externalId })]);

/** An instant of something that happened. PostgreSQL has no year 0. */
export const occurredAt = instantSchema.refine((value) => !value.startsWith('0000'), 'Out of range');

/** Text of a member without characters that match `forbidden`. */
export function textOf(max: number, forbidden: RegExp) {
  const isText = (value: string): boolean => !forbidden.test(value) && value.isWellFormed();
  return z.string().trim().min(1).max(max).refine(isText, 'Control characters are not allowed');
}

/** One line of text. */
export function lineOf(max: number) {
  return textOf(max, /\p{Cc}/u);
}

/** Plain text with line breaks. */
export function linesOf(max: number) {
  return textOf(max, /[^\P{Cc}\t\n\r]/u);
}
