import { z } from 'zod';

/** The profile of a person at one site. */
export interface MemberProfile {
  readonly name: string;
  readonly picture: string | null;
  readonly locale: string | null;
  readonly phone: string | null;
}

/** Default name: the local part of the email address. A name from another site would reveal that site. */
export function nameOf(given: string | undefined, email: string): string {
  const name = given?.trim() ?? '';
  return name === '' ? (email.split('@')[0] ?? email) : name;
}

const emptyAsNull = (schema: z.ZodType<string>) => z.union([z.literal('').transform(() => null), schema]);

/** The fields of the form as typed. An empty optional field clears the member of the profile. */
export const profileForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(200, 'A name has at most 200 characters.')
    .regex(/^\P{Cc}*$/u, 'A name has no line breaks.'),
  picture: emptyAsNull(
    z.url({ protocol: /^https$/, error: 'Enter an https address of a picture.' }).max(2048, 'The address is too long.'),
  ),
  locale: emptyAsNull(
    z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/, 'Enter a language tag, such as zh-TW.'),
  ),
  phone: emptyAsNull(z.string().regex(/^\+[1-9]\d{6,14}$/, 'Enter the international form, such as +886912345678.')),
});
