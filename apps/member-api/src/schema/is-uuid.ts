const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id that is none has no row: PostgreSQL is not asked for it. */
export const isUuid = (id: string): boolean => UUID.test(id);
