import { TEACHING_ROLES } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';

/** A member is a lecturer for as long as they have one of these roles: owners and admins may teach, too. */
export const LECTURER_ROLES: readonly Role[] = ['owner', 'admin', ...TEACHING_ROLES];

export function mayBeLecturer({ roles }: { readonly roles: readonly Role[] }): boolean {
  return roles.some((role) => LECTURER_ROLES.includes(role));
}

interface LinkPatch {
  readonly member_id?: string | null;
  readonly email?: string | null;
}

/** An administrator who unlinks the member ends the link by the address. A new member or address begins it again. */
export function linkOf({ member_id, email }: LinkPatch): { readonly follows_email?: boolean } {
  if (member_id !== undefined) return { follows_email: member_id !== null };
  return email === undefined ? {} : { follows_email: true };
}
