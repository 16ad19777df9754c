const KEY = /^[a-z0-9-]{1,64}(?:\/[a-z0-9-]{1,64}){1,3}$/;

/**
 * Requires lower-case words and ids. Keys contain no name of a client, so no key leads out of the store.
 *
 * @throws Error
 */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key.slice(0, 100))} is no key of a file`);
  return key;
}

export function isKey(key: string): boolean {
  return KEY.test(key);
}
