import { z } from 'zod';

/** The roles of a person at a site, ordered by privilege (highest first). Claims and lists keep this order. */
export const ROLES = ['owner', 'admin', 'lecturer', 'teaching_assistant', 'student'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** Orders roles by privilege and removes duplicates. */
export function orderRoles(roles: Iterable<Role>): Role[] {
  const held = new Set(roles);
  return ROLES.filter((role) => held.has(role));
}

/** Owners and admins see and change all of a site. */
export function isAdministrator({ roles }: { readonly roles: readonly Role[] }): boolean {
  return roles.includes('owner') || roles.includes('admin');
}

/** Roles that see and change what they teach. */
export const TEACHING_ROLES: readonly Role[] = ['lecturer', 'teaching_assistant'];

export function isTeacher({ roles }: { readonly roles: readonly Role[] }): boolean {
  return roles.some((role) => TEACHING_ROLES.includes(role));
}

/** A person's membership of a site: invited → active ⇄ suspended → removed. */
export const memberStateSchema = z.enum(['invited', 'active', 'suspended', 'removed']);
export type MemberState = z.infer<typeof memberStateSchema>;

/** True while the person may use the site. An invitation ends with the first sign-in there. */
export function isMember(state: MemberState): boolean {
  return state === 'invited' || state === 'active';
}

/**
 * The authenticated caller, from an active introspection (RFC 7662) of a bearer token. Created by the guard, then
 * passed to services and repositories, and between services in place of the token.
 */
export const principalSchema = z.object({
  /** Internal id of the person, equal at every site. No public response contains it. UUID. */
  person_id: z.uuid(),
  /** `sub` of the token: the person's membership of this site, random per site. UUID. */
  member_id: z.uuid(),
  /** The site of the token. UUID. Every query on site data is fenced by it. */
  site_id: z.uuid(),
  client_id: z.string().min(1),
  audience: z.enum(['operator', 'member']),
  scopes: z.array(z.string()),
  /** Roles of the person at this site. A teacher without owner or admin sees only what they teach. */
  roles: z.array(roleSchema),
  /** The grant of the token: equal for an access token and the refresh tokens of its family. */
  grant_id: z.string().min(1),
  /**
   * First 16 hexadecimal digits of the token's SHA-256: identifies the token in logs and limits without revealing it.
   */
  token_fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  /** Expiry of the token, seconds since the epoch. */
  expires_at: z.int(),
});
export type Principal = z.infer<typeof principalSchema>;

/** The site that fences a query: the member of a caller, of an object of the site, or of the site itself. */
export interface OfSite {
  readonly site_id: string;
}

/** True when the principal holds all of the scopes. */
export function holdsScopes(principal: Pick<Principal, 'scopes'>, required: readonly string[]): boolean {
  return required.every((scope) => principal.scopes.includes(scope));
}
