import { errorMessage } from '@lyceum/platform';

/**
 * Returns the failure without mail addresses, and without its cause and its stack, which can have them, too. Mail
 * servers name the recipient, and a failure is logged and kept longer than the address of a removed person.
 */
export function withoutAddresses(failure: unknown): Error {
  const message = errorMessage(failure).replaceAll(/[^\s<>@]+@[^\s<>@]+/g, 'address');
  const { code, responseCode } = Object(failure) as { readonly code?: unknown; readonly responseCode?: unknown };
  return Object.assign(new Error(message), { code, responseCode });
}

/** True when a mail server refused the mail permanently (RFC 5321 §4.2.1), so that a retry is useless. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  const { responseCode } = error;
  // 530 to 538 concern authentication (RFC 4954 §6): the settings, not the mail.
  return typeof responseCode === 'number' && responseCode >= 550 && responseCode <= 559;
}
