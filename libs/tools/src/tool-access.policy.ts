import { foreignAudience, isUnknownChoice, scopesOfCall, toolAccess } from '@lyceum/contracts';
import type { ScopedTool, ToolDescription } from '@lyceum/contracts';
import { ApiError, summaryOf } from '@lyceum/errors';
import type { Caller } from '@lyceum/messaging';

/**
 * Throws an `ApiError` unless the caller may use the tool with these arguments. The gateway checked before; this is the
 * second check, by the service that owns the data.
 */
export function assertAccess(
  tool: Pick<ToolDescription, 'name' | 'audience'> & ScopedTool,
  caller: Pick<Caller, 'principal' | 'site_id'>,
  args?: unknown,
  instead: Readonly<Record<string, string>> = {},
): void {
  const { name, audience } = tool;
  const { principal } = caller;
  if (principal !== null && principal.site_id !== caller.site_id) {
    throw new ApiError('forbidden', 'The token belongs to another site.');
  }
  const scopes = scopesOfCall(tool, args);
  switch (toolAccess({ audience, scopes }, principal)) {
    case 'sign_in':
      throw new ApiError('invalid_token', `${name} needs an access token.`, { scopes });
    case 'insufficient_scope': {
      const foreign = principal === null ? undefined : foreignAudience(tool, principal);
      const detail = foreign?.detail ?? `${name} needs the scopes ${scopes.join(' ')}`;
      throw new ApiError('insufficient_scope', `${detail}.`, {
        scopes,
        ...(foreign === undefined ? {} : { hint: foreign.hint }),
      });
    }
    case 'allowed':
      if (isUnknownChoice(tool, args)) throw unknownChoice(tool, args, instead);
  }
}

/** Nothing runs with undeclared scopes. */
function unknownChoice(
  { name, scopesByArgument }: Pick<ToolDescription, 'name'> & ScopedTool,
  args: unknown,
  instead: Readonly<Record<string, string>>,
): ApiError {
  const { argument = '', hint = '' } = scopesByArgument ?? {};
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, argument) : undefined;
  const advice = typeof value === 'string' && Object.hasOwn(instead, value) ? instead[value] : undefined;
  const errors = [
    { pointer: `/${argument}`, code: 'invalid_value', detail: advice ?? `Is not known to ${name}` },
  ] as const;
  return new ApiError('validation_failed', summaryOf(errors, ''), { errors, hint: advice ?? hint });
}
