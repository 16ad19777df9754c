import { holdsScopes } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import type { ListedTool } from '#src/catalogue/catalogue.policy.js';

export type ToolAccess = 'allowed' | 'sign_in' | 'insufficient_scope';

/** May this caller call the tool? A public tool may still name scopes (`whoami`): then it wants a token of any audience. */
export function toolAccess(
  tool: Pick<ListedTool, 'audience' | 'scopes'>,
  caller: Pick<Principal, 'audience' | 'scopes'> | null,
): ToolAccess {
  if (tool.audience === 'public' && tool.scopes.length === 0) return 'allowed';
  if (caller === null) return 'sign_in';
  if (tool.audience !== 'public' && tool.audience !== caller.audience) return 'insufficient_scope';
  return holdsScopes(caller, tool.scopes) ? 'allowed' : 'insufficient_scope';
}
