/** Visible ASCII, like `Idempotency-Key` of the REST API. */
const KEY = /^[\x21-\x7E]{1,255}$/;

/**
 * The idempotency key for the message header. An invalid key (a line break would add a header) stays in the arguments,
 * where the owning service rejects it with a reason.
 */
export function idempotencyKeyOf({ idempotency_key: key }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof key === 'string' && KEY.test(key) ? key : undefined;
}
