const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A malformed id has no row, so it needs no query. */
export const isUuid = (id: string): boolean => UUID.test(id);
