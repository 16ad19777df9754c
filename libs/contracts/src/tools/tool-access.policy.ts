import { holdsScopes } from '../platform/principal.js';
import type { Principal } from '../platform/principal.js';
import type { ScopesByArgument, ToolDescription } from './tools.js';

export type ToolAccess = 'allowed' | 'sign_in' | 'insufficient_scope';

/**
 * Access of a caller to a tool. A public tool may still name scopes (`whoami`): then it needs a token of any audience.
 * Checked twice: by the gateway before anything runs, and by the service that owns the data.
 */
export function toolAccess(
  { audience, scopes }: Pick<ToolDescription, 'audience'> & ScopedTool,
  caller: Pick<Principal, 'audience' | 'scopes'> | null,
): ToolAccess {
  if (audience === 'public' && scopes.length === 0) return 'allowed';
  if (caller === null) return 'sign_in';
  if (audience !== 'public' && audience !== caller.audience) return 'insufficient_scope';
  return holdsScopes(caller, scopes) ? 'allowed' : 'insufficient_scope';
}

/**
 * Set when the tool is for the other audience, so that no scope would help: the audience of a token follows from its
 * application.
 */
export function foreignAudience(
  { name, audience }: Pick<ToolDescription, 'name' | 'audience'>,
  caller: Pick<Principal, 'audience'>,
): { readonly detail: string; readonly hint: string } | undefined {
  if (audience === 'public' || audience === caller.audience) return undefined;
  return {
    detail: `${name} is for ${audience}s, and this application is for ${caller.audience}s`,
    hint: `Connect an application for ${audience}s to use it; more scopes do not help`,
  };
}

export interface ScopedTool {
  readonly scopes: readonly string[];
  readonly scopesByArgument?: ScopesByArgument | undefined;
}

/** All scopes that a call with these arguments needs. */
export function scopesOfCall(tool: ScopedTool, args: unknown): readonly string[] {
  const more = scopesByValue(tool, args);
  return more === undefined ? tool.scopes : [...new Set([...tool.scopes, ...more])];
}

/** True when a holder of these scopes may make at least one call of the tool. */
export function holdsScopesOfSomeCall(tool: ScopedTool, caller: Pick<Principal, 'scopes'>): boolean {
  if (!holdsScopes(caller, tool.scopes)) return false;
  if (tool.scopesByArgument === undefined) return true;
  return Object.values(tool.scopesByArgument.scopes).some((scopes) => holdsScopes(caller, scopes));
}

/** True when the argument that decides about scopes has an undeclared value. */
export function isUnknownChoice(tool: ScopedTool, args: unknown): boolean {
  return tool.scopesByArgument !== undefined && scopesByValue(tool, args) === undefined;
}

/** Own members only: inherited ones are not valid choices. */
function scopesByValue({ scopesByArgument }: ScopedTool, args: unknown): readonly string[] | undefined {
  if (scopesByArgument === undefined || typeof args !== 'object' || args === null) return undefined;
  const { argument, scopes } = scopesByArgument;
  const value: unknown = Object.hasOwn(args, argument) ? Reflect.get(args, argument) : undefined;
  return typeof value === 'string' && Object.hasOwn(scopes, value) ? scopes[value] : undefined;
}
