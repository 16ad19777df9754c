import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from '@lyceum/tools';

/** Who calls a tool for operators. Nobody else gets as far as here; the type does not know that. */
export function operatorOf({ principal }: Pick<ToolCall<unknown>, 'principal'>): Principal {
  if (principal === null) throw new ApiError('invalid_token', 'This tool needs an operator');
  return principal;
}
