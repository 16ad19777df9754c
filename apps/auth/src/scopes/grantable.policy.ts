import {
  IDENTITY_SCOPES,
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  SCOPE_NAMES,
  isAdministrator,
  isScope,
  isTeacher,
  splitScope,
} from '@lyceum/contracts';
import type { Role, Scope } from '@lyceum/contracts';

export type ClientAudience = 'operator' | 'member';

/**
 * Scopes of lecturers and teaching assistants. Each service with one of these scopes fences its rows by the courses
 * that the caller teaches, so a token reaches own courses and own students only: see
 * docs/adr/0050-own-courses-and-students.md.
 */
export const TEACHER_SCOPES = [
  'courses:read',
  'courses:write',
  'students:read',
  'curriculum:read',
  'curriculum:write',
  'comments:read',
  'lecturers:read',
  'lecturers:write',
] as const satisfies readonly Scope[];

/** The scopes that a client of the audience may request. */
export function scopesOfAudience(audience: ClientAudience): readonly Scope[] {
  return [...IDENTITY_SCOPES, ...(audience === 'member' ? MEMBER_SCOPES : OPERATOR_SCOPES)];
}

/**
 * The scopes that a person with these roles at the site can grant to a client; with none of them the client is refused.
 */
function grantableByRoles(audience: ClientAudience, roles: readonly Role[]): readonly Scope[] {
  if (audience === 'member') return roles.length > 0 ? scopesOfAudience('member') : [];
  if (isAdministrator({ roles })) return scopesOfAudience('operator');
  return isTeacher({ roles }) ? [...IDENTITY_SCOPES, ...TEACHER_SCOPES] : [];
}

export type Grantable =
  | { readonly allowed: false }
  | { readonly allowed: true; readonly granted: readonly Scope[]; readonly withheld: readonly Scope[] };

/**
 * Decides whether this person may authorize this client, and for which of the requested scopes (RFC 6749 §3.3 lets the
 * server grant fewer). A request that would keep identity scopes only is refused: the client could do nothing.
 */
export function grantableScopes(
  audience: ClientAudience,
  roles: readonly Role[],
  requested: readonly string[],
): Grantable {
  const known = SCOPE_NAMES.filter((scope) => requested.includes(scope));
  const most = new Set<Scope>(grantableByRoles(audience, roles));
  const granted = known.filter((scope) => most.has(scope));
  const withheld = known.filter((scope) => !most.has(scope));
  const identity = new Set<Scope>(IDENTITY_SCOPES);
  const useful = withheld.length === 0 || granted.some((scope) => !identity.has(scope));
  return granted.length > 0 && useful ? { allowed: true, granted, withheld } : { allowed: false };
}

/**
 * The remaining scope of a lecturer's token, which may have been issued with more; undefined when nothing remains. A
 * change of roles ends grants beyond the roles, so all other tokens keep their scope.
 */
export function scopeUnderRoles(audience: ClientAudience, roles: readonly Role[], scope: string): string | undefined {
  if (audience === 'member' || !isTeacher({ roles }) || isAdministrator({ roles })) return scope;
  const held = grantableScopes(audience, roles, splitScope(scope));
  return held.allowed ? held.granted.join(' ') : undefined;
}

/** Limits a grant to the shown scopes: the person may have gained roles since. */
export function onlyShown(grantable: Grantable, shown: readonly string[]): Grantable {
  if (!grantable.allowed) return grantable;
  const granted = grantable.granted.filter((scope) => shown.includes(scope));
  const unseen = grantable.granted.filter((scope) => !shown.includes(scope));
  return granted.length > 0
    ? { allowed: true, granted, withheld: [...grantable.withheld, ...unseen] }
    : { allowed: false };
}

/** A remembered approval covers a request for the same or fewer scopes. */
export function covers(remembered: readonly string[], requested: readonly string[]): boolean {
  return requested.filter(isScope).every((scope) => remembered.includes(scope));
}
