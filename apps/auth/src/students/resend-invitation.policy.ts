import type { MemberState } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

const REFUSALS: Readonly<Record<Exclude<MemberState, 'invited'>, string>> = {
  active: 'The student has signed in already',
  suspended: 'The student is suspended at this site',
  removed: 'The student was removed from the site',
};

/** Invitations are for members who have not signed in at the site. @throws `invalid_state` */
export function requireInvited(state: MemberState): void {
  if (state !== 'invited') throw new ApiError('invalid_state', REFUSALS[state]);
}
