import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from './tool.decorator.js';

/** Returns the principal of a call that needs a token. `assertAccess` refuses others, which the type does not show. */
export function principalOf({ principal }: Pick<ToolCall<unknown>, 'principal'>): Principal {
  if (principal === null) throw new ApiError('invalid_token', 'The call needs an access token');
  return principal;
}
