import { getVariableValues } from 'graphql';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { codedError } from '#src/schema/coded-error.js';
import { LIMITS } from '#src/selection/limits.policy.js';
import type { Variables } from '#src/selection/selection.js';

export const NO_VARIABLES: Variables = {};
/** Characters at the start of a message, which name the variable, and at its end, which have the reason. */
const SHOWN = 300;

/**
 * Returns the coerced variables of an operation. Undefined when they do not fit: execution coerces short ones again and
 * reports each error.
 *
 * @throws GraphQLError for the first error of long variables. The text of each error can have the whole value.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  given: Variables = NO_VARIABLES,
): Variables | undefined {
  if (variableDefinitions === undefined || variableDefinitions.length === 0) return NO_VARIABLES;
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, given, { maxErrors: 1 });
  if (errors !== undefined && JSON.stringify(given).length > LIMITS.explainedVariables) {
    throw codedError('validation_failed', shortened(errors[0]?.message ?? ''));
  }
  return coerced;
}

function shortened(message: string): string {
  return message.length <= 2 * SHOWN ? message : `${message.slice(0, SHOWN)} … ${message.slice(-SHOWN)}`;
}
