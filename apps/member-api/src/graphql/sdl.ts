import { lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';

/** Sorted, so that it does not change with the order of imports. */
export function definitionOf(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Nest cannot describe the root types. */
export function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) {
    query.description = `Data that a member can read, with the scope account:read. Every operation costs points, and a token has a limited number per minute: extensions.cost has both. A refused document costs ${LIMITS.refused}, and introspection ${LIMITS.introspection}.`;
  }
  if (mutation)
    mutation.description = 'Changes that a member can make, with the scopes account:read and account:write.';
  return schema;
}
