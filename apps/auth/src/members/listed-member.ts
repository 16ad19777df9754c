import type { MemberState, Role } from '@lyceum/contracts';

/** A member as the admin area lists it. */
export interface ListedMember {
  readonly member_id: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly state: MemberState;
  readonly joined_at: Date;
}

export interface MemberFilter {
  /** A part of the name or the address, in lower case. Empty filters nothing. */
  readonly text: string;
  readonly state: MemberState | undefined;
  readonly role: Role | undefined;
}
