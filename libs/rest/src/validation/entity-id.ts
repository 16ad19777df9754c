import { sharedId } from '@lyceum/contracts';
import type { SharedType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a UUID in lower case. @throws `not_found` for a malformed id, as for an unknown id or one of another site */
export function entityId(value: string): string {
  if (UUID.test(value)) return value.toLowerCase();
  throw notFound();
}

/** Returns the same function for an object that the member API shows as a type. Its id there is accepted, too. */
export function entityIdOf(type: SharedType | undefined): (value: string) => string {
  if (type === undefined) return entityId;
  const schema = sharedId(type);
  return (value) => {
    const { data } = schema.safeParse(value);
    if (data === undefined) throw notFound();
    return data;
  };
}

function notFound(): ApiError {
  return new ApiError('not_found', 'The object does not exist at this site');
}
