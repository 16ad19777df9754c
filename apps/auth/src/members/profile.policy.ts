import { say } from '@lyceum/messages';
import { isTimeZone, isVisibleLine, timeZoneName } from '@lyceum/platform';
import { z } from 'zod';

/** The profile of a person at one site. */
export interface MemberProfile {
  readonly name: string;
  readonly picture: string | null;
  readonly locale: string | null;
  readonly phone: string | null;
  /** A name of the IANA time zone database. */
  readonly timezone: string | null;
}

/** Default name: the local part of the email address. A name from another site would reveal that site. */
export function nameOf(given: string | undefined, email: string): string {
  const name = given?.trim() ?? '';
  return name === '' ? (email.split('@')[0] ?? email) : name;
}

/** Characters. */
export const PROFILE_LIMITS = { name: 200, picture: 2048 } as const;

const emptyAsNull = (schema: z.ZodType<string>) => z.union([z.literal('').transform(() => null), schema]);

/** The fields of the form as typed. An empty optional field clears the member of the profile. */
export const profileForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: () => say('profile.enter_name') })
    .max(PROFILE_LIMITS.name, { error: () => say('profile.name_length', { max: PROFILE_LIMITS.name }) })
    .refine(isVisibleLine, { error: () => say('profile.name_breaks') }),
  picture: emptyAsNull(
    z
      .url({ protocol: /^https$/, error: () => say('profile.enter_picture') })
      .max(PROFILE_LIMITS.picture, { error: () => say('profile.picture_length', { max: PROFILE_LIMITS.picture }) }),
  ),
  locale: emptyAsNull(
    z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/, {
      error: () => say('profile.enter_language'),
    }),
  ),
  phone: emptyAsNull(z.string().regex(/^\+[1-9]\d{6,14}$/, { error: () => say('profile.enter_phone') })),
  timezone: emptyAsNull(
    z
      .string()
      .refine(isTimeZone, { error: () => say('profile.enter_timezone') })
      .overwrite(timeZoneName),
  ),
});
