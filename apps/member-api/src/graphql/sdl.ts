import { lexicographicSortSchema, printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';

/** Sorted, so that it does not change with the order of imports. */
export function definitionOf(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Nest has no place to describe the roots. */
export function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (query) query.description = 'What a member can read, with the scope account:read.';
  if (mutation) mutation.description = 'What a member can change, with the scopes account:read and account:write.';
  return schema;
}
