import { say } from '@lyceum/messages';

export const PASSWORD_LIMITS = { min: 10, max: 256 } as const;

/** The data of a person that others at the site can guess. */
export interface PasswordOwner {
  readonly email: string;
  readonly siteName: string;
}

/** Normalized for comparison: without case and width (Unicode NFKC). */
export const canonicalPassword = (password: string): string => password.normalize('NFKC').toLowerCase();

/** Letters and digits only. */
const bare = (text: string): string => canonicalPassword(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
const withoutLastDigits = (text: string): string => text.replace(/\p{N}+$/u, '');

function isOwnData(password: string, { email, siteName }: PasswordOwner): boolean {
  const own = [email, email.slice(0, email.lastIndexOf('@')), siteName].map(bare).filter((text) => text !== '');
  const given = bare(password);
  return own.some((text) => given === text || withoutLastDigits(given) === text);
}

/** The error message for a new password, apart from common ones; undefined when it is valid. */
export function passwordError(password: string, owner: PasswordOwner): string | undefined {
  const { min, max } = PASSWORD_LIMITS;
  if (password.length < min || password.length > max) {
    return say('form.password_length', { min, max });
  }
  return isOwnData(password, owner) ? say('form.password_own_data') : undefined;
}
