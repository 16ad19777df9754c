import { isUuid, sharedId } from '@lyceum/contracts';
import type { SharedType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** Returns a UUID in lower case. @throws `not_found` for a malformed id, as for an unknown id or one of another site */
export function entityId(value: string): string {
  const id = value.toLowerCase();
  if (!isUuid(id)) throw notFound();
  return id;
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
