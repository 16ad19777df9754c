import { isAdministrator, isMember } from '@lyceum/contracts';
import type { MemberState, Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** A change of a member that an operator requests. */
export type MemberChange = 'profile' | 'roles' | 'resend' | 'suspend' | 'reinstate' | 'remove';

interface Party {
  readonly member_id: string;
  readonly state: MemberState;
  readonly roles: readonly Role[];
}

/** For each change of state, the states that allow it or result from it. */
const STATES: Readonly<Record<MemberChange, readonly MemberState[]>> = {
  profile: ['invited', 'active', 'suspended'],
  roles: ['invited', 'active', 'suspended'],
  resend: ['invited'],
  suspend: ['active', 'suspended'],
  reinstate: ['suspended', 'active'],
  remove: ['invited', 'active', 'suspended', 'removed'],
};

/** @throws `forbidden` unless the actor is an active owner or admin of the site */
export function requireOperator(actor: Party | undefined): Party {
  if (actor !== undefined && isMember(actor.state) && isAdministrator(actor)) return actor;
  throw new ApiError('forbidden', 'Only owners and admins of the site can change its members');
}

/**
 * A site always keeps an owner, because only another owner can change an owner. Both rows are locked.
 *
 * @throws `forbidden` for own roles and states, and for an owner. `invalid_state` for a state without such a change.
 */
export function checkChange(change: MemberChange, actor: Party | undefined, target: Party): void {
  const { member_id, roles } = requireOperator(actor);
  if (member_id === target.member_id && change !== 'profile') {
    throw new ApiError('forbidden', 'Members cannot change their own roles and state');
  }
  if (target.roles.includes('owner') && !roles.includes('owner')) {
    throw new ApiError('forbidden', 'Only an owner can change an owner');
  }
  if (!STATES[change].includes(target.state)) {
    throw new ApiError('invalid_state', `The member is ${target.state}`);
  }
}
