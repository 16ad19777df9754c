const MAX_LENGTH = 254;
const ADDRESS = /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)*$/;

/** Normalizes an email address: trimmed, lower case. Undefined when it is invalid. */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}
