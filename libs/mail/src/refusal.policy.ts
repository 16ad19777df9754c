/** True when a mail server said that it will never take the mail (RFC 5321 §4.2.1): trying again would only annoy it. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  const { responseCode } = error;
  // 530 to 538 are about signing in (RFC 4954 §6): our settings, not the mail.
  return typeof responseCode === 'number' && responseCode >= 550 && responseCode <= 559;
}
