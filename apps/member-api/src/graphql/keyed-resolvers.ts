import { getNamedType, getNullableType, isObjectType, isUnionType } from 'graphql';
import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { resolveFromKey } from './apollo.internals.js';

/**
 * What SQL answers for a part of a query has the response keys of its selection, so the fields of such objects are found
 * by the key and not by the name. Fields with arguments have resolvers of their own.
 */
export function resolveByKey(schema: GraphQLSchema): GraphQLSchema {
  const viewer = schema.getType('Viewer');
  if (viewer === undefined) throw new Error('There is no type Viewer');
  const seen = new Set<GraphQLNamedType>();
  const visit = (type: GraphQLNamedType): void => {
    if (seen.has(type)) return;
    seen.add(type);
    if (isUnionType(type)) type.getTypes().forEach(visit);
    if (!isObjectType(type)) return;
    for (const field of Object.values(type.getFields())) {
      if (field.args.length === 0) resolveFromKey(field);
      visit(getNamedType(getNullableType(field.type)));
    }
  };
  visit(viewer);
  return schema;
}
