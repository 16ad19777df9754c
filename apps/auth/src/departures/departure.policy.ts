import type { Role } from '@lyceum/contracts';

/** A site keeps its owners: no application can give the role to another member. */
export const mayLeave = ({ roles }: { readonly roles: readonly Role[] }): boolean => !roles.includes('owner');
