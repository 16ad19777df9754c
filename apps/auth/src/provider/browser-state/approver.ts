import type { Role } from '@lyceum/contracts';
import type { Authenticated } from '#src/people/authenticated.js';

/** The person of a live session, with the roles that the person has now. */
export interface Approver extends Authenticated {
  readonly roles: readonly Role[];
}
