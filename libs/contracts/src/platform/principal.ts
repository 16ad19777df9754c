import { z } from 'zod';

/** The roles of a person at a site, ordered by privilege (highest first). Claims and lists keep this order. */
export const ROLES = ['owner', 'admin', 'lecturer', 'teaching_assistant', 'student'] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** Orders roles by privilege and drops repeats. */
export function orderRoles(roles: Iterable<Role>): Role[] {
  const held = new Set(roles);
  return ROLES.filter((role) => held.has(role));
}

/** A person's membership of a site: invited → active ⇄ suspended → removed. */
export const memberStateSchema = z.enum(['invited', 'active', 'suspended', 'removed']);
export type MemberState = z.infer<typeof memberStateSchema>;

/** True while the person may use the site. An invitation ends with the first sign-in there. */
export function isMember(state: MemberState): boolean {
  return state === 'invited' || state === 'active';
}

/**
 * Who is asking: what a positive introspection (RFC 7662) says of a bearer token. Made once by the guard, then the first
 * argument of services and repositories. It travels between services in place of the token, which never does.
 */
export const principalSchema = z.object({
  /** The key of the person inside the deployment, the same at every site. No public response contains it. UUID. */
  person_id: z.uuid(),
  /** `sub` of the token: the person's membership of this site, random and of no meaning at other sites. UUID. */
  member_id: z.uuid(),
  /** The site the token is bound to. UUID. Every query on site data is fenced by it. */
  site_id: z.uuid(),
  client_id: z.string().min(1),
  audience: z.enum(['operator', 'member']),
  scopes: z.array(z.string()),
  /** The grant behind the token: equal for an access token and the refresh tokens of its family. */
  grant_id: z.string().min(1),
  /** First 16 hexadecimal digits of SHA-256 of the token: names a token in logs and limits without being one. */
  token_fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  /** Expiry of the token, seconds since the epoch. */
  expires_at: z.int(),
});
export type Principal = z.infer<typeof principalSchema>;

/** True when the principal holds all of the scopes. */
export function holdsScopes(principal: Pick<Principal, 'scopes'>, required: readonly string[]): boolean {
  return required.every((scope) => principal.scopes.includes(scope));
}
