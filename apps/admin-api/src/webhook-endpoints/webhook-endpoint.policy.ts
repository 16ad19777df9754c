import { isAdministrator } from '@lyceum/contracts';
import type { MemberState, Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { PUBLIC_EVENTS, isPublicEventType } from '#src/changes/public-event-types.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** For this time after a rotation, deliveries have a signature of the previous secret too. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

type State = Pick<WebhookEndpoint, 'state' | 'reason'>;

/** @throws `invalid_state` at the limit of the site */
export function requireRoom(endpoints: number, limit: number): void {
  if (endpoints < limit) return;
  throw new ApiError('invalid_state', `A site has at most ${limit} webhook endpoints`, {
    hint: 'Delete one that is not used',
  });
}

/** Addresses are checked at each delivery, because names change theirs. @throws `validation_failed` */
export function requireTarget(text: string, { localTargets }: { readonly localTargets: boolean }): void {
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !localTargets) refuseTarget('An https URL is needed');
  if (username !== '' || password !== '') refuseTarget('A URL with a user or password is not allowed');
  if (hash !== '') refuseTarget('A URL with a fragment is not allowed');
}

function refuseTarget(detail: string): never {
  throw new ApiError('validation_failed', 'The URL cannot receive events', {
    errors: [{ pointer: '/url', code: 'invalid_value', detail }],
  });
}

/** The subject of the error: it needs the scopes. */
type Readable = 'The event types of the endpoint' | 'Deliveries that wait for the endpoint' | 'Deliveries of this type';

/**
 * Work of the service has no scopes, and reads everything. A type without events, `webhook.test`, needs none.
 *
 * @throws `insufficient_scope`
 */
export function requireReadable(
  types: readonly string[],
  scopes: readonly string[] | undefined,
  what: Readable = 'The event types of the endpoint',
): void {
  const missing = new Set<string>(types.filter(isPublicEventType).map((type) => PUBLIC_EVENTS[type].scope));
  for (const scope of scopes ?? missing) missing.delete(scope);
  if (missing.size === 0) return;
  const names = [...missing].toSorted();
  throw new ApiError('insufficient_scope', `${what} need the scopes ${names.join(' ')}`, { scopes: names });
}

/** True when a member may have endpoints. */
export function keepsEndpoints({ state, roles }: { readonly state: MemberState; readonly roles: readonly Role[] }) {
  return state === 'active' && isAdministrator({ roles });
}

export type LostAccess = 'creator_lost_access' | 'client_deleted';

/** True for an endpoint that only a claim continues. */
function isWithoutAccess({ reason }: Pick<State, 'reason'>): boolean {
  return reason === 'creator_lost_access' || reason === 'client_deleted';
}

/** Enabling twice changes nothing. @throws `invalid_state` for an endpoint without access */
export function enabled({ state, reason }: State): State | undefined {
  if (state === 'enabled') return undefined;
  if (!isWithoutAccess({ reason })) return { state: 'enabled', reason: null };
  throw new ApiError('invalid_state', 'The creator or the client of the webhook endpoint has no access any more', {
    hint: 'Claim it',
  });
}

/**
 * Disabling twice changes nothing, and keeps the first reason.
 *
 * @throws `invalid_state` for a paused endpoint, which enabling must not wake
 */
export function disabled({ state }: State, reason: 'requested' | 'gone' | 'failing'): State | undefined {
  if (state === 'disabled') return undefined;
  if (state === 'enabled') return { state: 'disabled', reason };
  throw new ApiError('invalid_state', 'The webhook endpoint is paused', { hint: 'Delete or claim it' });
}

/** A disabled endpoint stays so, with the reason for which it needs a claim. */
export function paused({ state, reason }: State, lost: LostAccess): State | undefined {
  if (isWithoutAccess({ reason })) return undefined;
  return { state: state === 'disabled' ? state : 'paused', reason: lost };
}

type Claimed = Partial<Pick<WebhookEndpoint, 'created_by' | 'client_id' | 'state' | 'reason'>>;

/** The endpoint gets the rights of another member. A disabled endpoint stays so, and can be enabled then. */
export function claimed(
  { state, reason, created_by, client_id }: Pick<WebhookEndpoint, 'state' | 'reason' | 'created_by' | 'client_id'>,
  by: { readonly member_id: string; readonly client_id: string },
): Claimed | undefined {
  const owned = { created_by: by.member_id, client_id: by.client_id };
  if (isWithoutAccess({ reason })) {
    return state === 'paused' ? { ...owned, state: 'enabled', reason: null } : { ...owned, reason: 'requested' };
  }
  return created_by === by.member_id && client_id === by.client_id ? undefined : owned;
}
