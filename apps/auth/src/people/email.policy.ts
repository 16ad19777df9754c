import { isErasedEmail } from '@lyceum/contracts';

/** Characters (RFC 5321 §4.5.3.1.3, without the brackets). */
export const MAX_EMAIL_LENGTH = 254;
const ADDRESS = /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)*$/;

/** Returns an email address trimmed, in lower case. Undefined for an invalid one, and for one that replaces another. */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && ADDRESS.test(email) && !isErasedEmail(email) ? email : undefined;
}
