import { orderRoles } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';

/** The data of a person that one site may see. */
export interface PersonAtSite {
  readonly person_id: string;
  /** The `sub` at this site. */
  readonly member_id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly picture: string | null;
  readonly org_id: string;
  readonly roles: readonly Role[];
}

/** Adds the data that the person sees of themselves. */
export interface MemberOfSite extends PersonAtSite {
  readonly locale: string | null;
  readonly phone: string | null;
  readonly timezone: string | null;
}

/** Claims by scope; the same in the id_token and in UserInfo. */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
} as const;

/** All claims of a person. A missing picture is left out, not null (OpenID Connect Core §5.3.2). */
export function allClaims(person: PersonAtSite): { sub: string; [claim: string]: unknown } {
  return {
    sub: person.member_id,
    org_id: person.org_id,
    roles: orderRoles(person.roles),
    name: person.name,
    ...(person.picture === null ? {} : { picture: person.picture }),
    email: person.email,
    email_verified: person.email_verified,
  };
}

/** The claims that the granted scopes open. */
export function claimsOfScopes(person: PersonAtSite, scopes: readonly string[]): Record<string, unknown> {
  const open = new Set<string>(
    Object.entries(CLAIMS_OF_SCOPE).flatMap(([scope, claims]) => (scopes.includes(scope) ? [...claims] : [])),
  );
  return Object.fromEntries(Object.entries(allClaims(person)).filter(([claim]) => open.has(claim)));
}
