import { holdsScopes } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import type { Caller } from '@lyceum/messaging';
import type { ToolDeclaration } from './tool.decorator.js';

/**
 * Whether the caller may use the tool; throws the outcome when not. The gateway has asked the same before: this is the
 * second check, by the context that owns the data.
 */
export function assertAccess(
  tool: Pick<ToolDeclaration, 'name' | 'audience' | 'scopes'>,
  caller: Pick<Caller, 'principal' | 'site_id'>,
): void {
  const { principal } = caller;
  if (principal !== null && principal.site_id !== caller.site_id) {
    throw new Outcome('forbidden', 'The token belongs to another site.');
  }
  const { scopes } = tool;
  if (tool.audience === 'public' && scopes.length === 0) return;
  if (principal === null) throw new Outcome('invalid_token', `${tool.name} needs an access token.`, { scopes });
  if (tool.audience !== 'public' && principal.audience !== tool.audience) {
    throw new Outcome('insufficient_scope', `${tool.name} is a tool for ${tool.audience} applications.`, { scopes });
  }
  if (holdsScopes(principal, scopes)) return;
  throw new Outcome('insufficient_scope', `${tool.name} needs the scopes ${scopes.join(' ')}.`, { scopes });
}
