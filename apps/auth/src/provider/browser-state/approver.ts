import type { Role } from '@lyceum/contracts';
import type { Authenticated } from '#src/people/authenticated.js';

/** The person of a live session, with the current roles. */
export interface Approver extends Authenticated {
  readonly roles: readonly Role[];
}
