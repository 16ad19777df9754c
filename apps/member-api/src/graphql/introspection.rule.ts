import { GraphQLError } from 'graphql';
import type { ASTVisitor, FieldNode, ValidationContext } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';

const META = '__';

/**
 * Introspection has no cost for each object, so nothing may multiply its objects. An alias does: in a fragment it
 * selects its field at each place of the fragment. Without an alias `__schema` is one field of an operation.
 */
export function introspectionRule(context: ValidationContext): ASTVisitor {
  const types = new Set<string>();
  return {
    Field(node: FieldNode): void {
      const { name, alias } = node;
      const hasAlias = alias !== undefined && alias.value !== name.value;
      if (hasAlias && (name.value === '__schema' || isMeta(context))) {
        report(context, node, '__schema, and the fields below it and below __type, must have no alias');
      }
      if (name.value !== '__type') return;
      types.add(alias?.value ?? name.value);
      if (types.size === LIMITS.introspectedTypes + 1) {
        report(context, node, `A document has __type at most ${LIMITS.introspectedTypes} times`);
      }
    },
  };
}

const isMeta = (context: ValidationContext): boolean => context.getParentType()?.name.startsWith(META) === true;

function report(context: ValidationContext, node: FieldNode, message: string): void {
  context.reportError(new GraphQLError(message, { nodes: node }));
}
