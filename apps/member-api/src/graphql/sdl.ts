import { lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';

/** Sorted, so that it does not change with the order of imports. */
export function definitionOf(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Nest has no place to describe the roots. */
export function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) {
    query.description = `What a member can read, with the scope account:read. Every operation costs points, of which a token has so many a minute: extensions.cost tells. A document that is refused costs ${LIMITS.refused}.`;
  }
  if (mutation) mutation.description = 'What a member can change, with the scopes account:read and account:write.';
  return schema;
}
