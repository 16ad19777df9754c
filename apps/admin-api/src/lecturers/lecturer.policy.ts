import { TEACHING_ROLES } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';

/** A member is a lecturer for as long as they have one of these roles: owners and admins may teach, too. */
export const LECTURER_ROLES: readonly Role[] = ['owner', 'admin', ...TEACHING_ROLES];

export function mayBeLecturer({ roles }: { readonly roles: readonly Role[] }): boolean {
  return roles.some((role) => LECTURER_ROLES.includes(role));
}
