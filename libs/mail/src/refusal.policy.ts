/** True when a mail server refused the mail permanently (RFC 5321 §4.2.1), so that a retry is useless. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  const { responseCode } = error;
  // 530 to 538 concern authentication (RFC 4954 §6): the settings, not the mail.
  return typeof responseCode === 'number' && responseCode >= 550 && responseCode <= 559;
}
