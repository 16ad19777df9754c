/** Source of the regular expression of a UUID, as rows and responses have it: in lower case. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const WHOLE = new RegExp(`^${UUID_PATTERN}$`);

/** True for a UUID in lower case. Another text is the id of no row, so it needs no query. */
export function isUuid(text: string): boolean {
  return WHOLE.test(text);
}
