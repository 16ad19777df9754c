import { SCOPES } from '@lyceum/contracts';
import type { Scope, ScopeDefinition, ScopeResource } from '@lyceum/contracts';
import { listOf, say } from '@lyceum/messages';

/** A row of the consent page: one resource, with its scopes. */
export interface Permission {
  readonly title: string;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly weight: ScopeDefinition['weight'];
  readonly words: readonly string[];
  /** Not all of it was approved before. */
  readonly isNew: boolean;
}

const WEIGHTS = ['view', 'edit', 'sensitive'] as const;

const resourceOf = (scope: Scope): ScopeResource | undefined => {
  const [resource = '', access] = scope.split(':');
  return access === undefined ? undefined : (resource as ScopeResource);
};

/** The permissions of the scopes, the weightiest first. Identity scopes are not among them. */
export function permissionsOf(scopes: readonly Scope[], approved: readonly string[]): Permission[] {
  const resources = new Set(scopes.map(resourceOf).filter((resource) => resource !== undefined));
  const permissions = [...resources].map((resource): Permission => {
    const own = scopes.filter((scope) => resourceOf(scope) === resource);
    const definitions = own.map((scope) => SCOPES[scope]);
    const weights = definitions.map(({ weight }) => WEIGHTS.indexOf(weight));
    return {
      title: say(`resource.${resource}`),
      reads: definitions.some(({ access }) => access === 'read'),
      writes: definitions.some(({ access }) => access === 'write'),
      weight: WEIGHTS[Math.max(...weights)] ?? 'view',
      words: own.map((scope) => say(`scope.${scope}`)),
      isNew: approved.length > 0 && own.some((scope) => !approved.includes(scope)),
    };
  });
  return permissions.toSorted((one, other) => WEIGHTS.indexOf(other.weight) - WEIGHTS.indexOf(one.weight));
}

/** The facts about the person that identity scopes share, as one phrase. */
export function identityWords(scopes: readonly Scope[]): string | undefined {
  const words = [
    scopes.includes('profile') && say('consent.fact_profile'),
    scopes.includes('email') && say('consent.fact_email'),
    scopes.includes('openid') && say('consent.fact_roles'),
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : listOf(words);
}
