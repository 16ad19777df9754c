import { lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { OPERATION_ACCESS } from '#src/schema/operation-access.js';
import { LIMITS } from '#src/selection/limits.policy.js';

const [QUERY, MUTATION] = [OPERATION_ACCESS.query.scopes.join(' and '), OPERATION_ACCESS.mutation.scopes.join(' and ')];

/** Sorted, so that it does not change with the order of imports. */
export function definitionOf(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Nest cannot describe the root types. */
export function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) {
    query.description = `Data that a member can read, with the scope ${QUERY}. Every operation costs points, and a person with one client has a limited number per minute: extensions.cost has both. A refused document costs ${LIMITS.refused}, and introspection ${LIMITS.introspection}.`;
  }
  if (mutation) mutation.description = `Changes that a member can make, with the scopes ${MUTATION}.`;
  return schema;
}
