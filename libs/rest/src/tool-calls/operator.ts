import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from '@lyceum/tools';

/** Returns the principal of an operator tool. The gateway admits operators only, which the type does not show. */
export function operatorOf({ principal }: Pick<ToolCall<unknown>, 'principal'>): Principal {
  if (principal === null) throw new ApiError('invalid_token', 'This tool needs an operator');
  return principal;
}
