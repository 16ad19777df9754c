import { ApiError } from '@lyceum/errors';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws `not_found` for a malformed id: it is indistinguishable from an unknown id or another site's. */
export function entityId(value: string): string {
  if (UUID.test(value)) return value.toLowerCase();
  throw new ApiError('not_found', 'There is no such object at this site');
}
