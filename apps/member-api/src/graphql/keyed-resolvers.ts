import { getNamedType, getNullableType, isObjectType, isUnionType } from 'graphql';
import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { resolveFromKey } from './apollo.internals.js';

/**
 * The objects that SQL returns for a part of a query have the response keys of its selection, so their fields are read
 * by response key instead of name. Fields with arguments have their own resolvers.
 */
export function resolveByKey(schema: GraphQLSchema): GraphQLSchema {
  const viewer = schema.getType('Viewer');
  if (viewer === undefined) throw new Error('The schema has no type Viewer');
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
