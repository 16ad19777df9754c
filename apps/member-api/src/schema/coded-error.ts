import { graphqlCode } from '@lyceum/errors';
import type { ErrorCode, FieldError } from '@lyceum/errors';
import { GraphQLError } from 'graphql';

/** An error of the closed list, for the caller. `errors` names the invalid arguments. */
export function codedError(code: ErrorCode, message: string, errors: readonly FieldError[] = []): GraphQLError {
  const extensions = { code: graphqlCode(code), ...(errors.length === 0 ? {} : { errors }) };
  return new GraphQLError(message, { extensions });
}
