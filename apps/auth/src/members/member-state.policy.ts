import type { MemberState, Role } from '@lyceum/contracts';

/** The state after a change of roles: without roles a member is removed, and one who returns joins again. */
export function stateWithRoles(state: MemberState, roles: readonly Role[], joins: 'invited' | 'active'): MemberState {
  if (roles.length === 0) return 'removed';
  return state === 'removed' ? joins : state;
}
