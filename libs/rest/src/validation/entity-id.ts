import { ApiError } from '@lyceum/errors';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a UUID in lower case. @throws `not_found` for a malformed id, as for an unknown id or one of another site */
export function entityId(value: string): string {
  if (UUID.test(value)) return value.toLowerCase();
  throw new ApiError('not_found', 'There is no such object at this site');
}
