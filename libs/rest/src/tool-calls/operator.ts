import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { ToolCall } from '@lyceum/tools';

/** The principal of a tool for operators. The gateway admits only operators; the type does not show that. */
export function operatorOf({ principal }: Pick<ToolCall<unknown>, 'principal'>): Principal {
  if (principal === null) throw new ApiError('invalid_token', 'This tool needs an operator');
  return principal;
}
