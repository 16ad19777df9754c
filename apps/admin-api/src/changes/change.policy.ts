import type { Principal, Scope } from '@lyceum/contracts';
import { isAdministrator, isTeacher } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { PUBLIC_EVENTS, PUBLIC_EVENT_TYPES } from './public-event-types.js';
import type { PublicEventType } from './public-event-types.js';

/** Days for which a change can be read. */
export const CHANGE_DAYS = 30;
/** Further time for a reader to continue from the oldest changes: so long they are kept, and their cursors valid. */
const GRACE_DAYS = 1;

const DAY_MS = 86_400_000;

/** Scopes of which each shows some changes. */
export const CHANGE_SCOPES = [...new Set(PUBLIC_EVENT_TYPES.map((type) => PUBLIC_EVENTS[type].scope))] as [
  Scope,
  ...Scope[],
];

/**
 * The types that the scopes show, or those that the caller asks for.
 *
 * @throws `insufficient_scope` if no type remains, or for one that the scopes do not show
 */
export function readableTypes(
  { scopes }: Pick<Principal, 'scopes'>,
  wanted: readonly PublicEventType[] = [],
): readonly PublicEventType[] {
  const isReadable = (type: PublicEventType): boolean => scopes.includes(PUBLIC_EVENTS[type].scope);
  const readable = (wanted.length === 0 ? PUBLIC_EVENT_TYPES : wanted).filter(isReadable);
  if (readable.length > 0 && (wanted.length === 0 || readable.length === wanted.length)) return [...new Set(readable)];
  const missing =
    wanted.length === 0
      ? CHANGE_SCOPES
      : [...new Set(wanted.filter((type) => !isReadable(type)).map((type) => PUBLIC_EVENTS[type].scope))];
  const needed = missing.join(', ');
  throw new ApiError('insufficient_scope', `These changes need ${wanted.length === 0 ? 'one of ' : ''}${needed}`, {
    scopes: missing,
  });
}

/**
 * True for a caller who reads only changes of own courses.
 *
 * @throws `forbidden` for a caller who has nothing to read
 */
export function isFenced({ roles }: Pick<Principal, 'roles'>): boolean {
  if (isAdministrator({ roles })) return false;
  if (isTeacher({ roles })) return true;
  throw new ApiError('forbidden', 'Only owners, admins and teachers of the site can read its changes');
}

/** Where a reader without a cursor begins. */
export function oldestReadable(now: Date): Date {
  return new Date(now.getTime() - CHANGE_DAYS * DAY_MS);
}

/** Where a cursor can continue. Older changes may be deleted. */
export function oldestKept(now: Date): Date {
  return new Date(oldestReadable(now).getTime() - GRACE_DAYS * DAY_MS);
}

/** @throws `invalid_cursor` for a cursor that may have missed deleted changes */
export function requireFresh(readAt: Date, now: Date): void {
  if (readAt >= oldestKept(now)) return;
  throw invalidCursor(`The cursor is older than ${CHANGE_DAYS} days, so changes after it are deleted`, 'Is too old');
}

/** The error for a cursor of other filters or another site, and for one from before a restore of the database. */
export function foreignCursor(): ApiError {
  const detail = 'Belongs to other filters, or to a time that a restore of the data took back';
  return invalidCursor('The cursor is not valid for these changes', detail);
}

function invalidCursor(message: string, detail: string): ApiError {
  return new ApiError('invalid_cursor', message, {
    errors: [{ parameter: 'cursor', code: 'invalid_cursor', detail }],
    hint: 'Read the collections as a whole, then start without a cursor',
  });
}
