import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from '@lyceum/tools';

/** The principal of an operator tool. The gate admits no other caller, which the type does not express. */
export function operatorOf({ principal }: Pick<ToolCall<unknown>, 'principal'>): Principal {
  if (principal === null) throw new ApiError('invalid_token', 'This tool needs an operator');
  return principal;
}
