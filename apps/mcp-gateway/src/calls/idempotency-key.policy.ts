/** Visible ASCII, as `Idempotency-Key` of the REST API. */
const KEY = /^[\x21-\x7E]{1,255}$/;

/**
 * The key that travels in the header of the message. One that no header can hold (a line break would make a second header
 * of it) travels in the arguments alone: there the owning service refuses it in words.
 */
export function idempotencyKeyOf({ idempotency_key: key }: Record<string, unknown>): string | undefined {
  return typeof key === 'string' && KEY.test(key) ? key : undefined;
}
