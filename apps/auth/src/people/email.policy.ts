const MAX_LENGTH = 254;
const ADDRESS = /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(\.[^\s@.]+)*$/;

/** An e-mail address as it identifies a person: trimmed, lower case. Undefined when it is no address. */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}
