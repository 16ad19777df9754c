import { SCOPES, SCOPE_RESOURCES } from '@lyceum/contracts';
import type { Scope, ScopeResource } from '@lyceum/contracts';

type Permissions = Readonly<Record<`scope.${Scope}` | `resource.${ScopeResource}`, string>>;

const prefixed = (prefix: string, words: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(words).map(([name, text]) => [`${prefix}.${name}`, text]);

const wordsOfScopes = Object.fromEntries(Object.entries(SCOPES).map(([name, { words }]) => [name, words]));

/** Scopes and their resources, as the contract declares them. */
export const permissions = Object.fromEntries([
  ...prefixed('scope', wordsOfScopes),
  ...prefixed('resource', SCOPE_RESOURCES),
]) as Permissions;
