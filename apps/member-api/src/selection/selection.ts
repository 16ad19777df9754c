import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  isCompositeType,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { codedError } from '#src/schema/coded-error.js';

export type Variables = Readonly<Record<string, unknown>>;

/** One entry of a response: the result of `ExecuteFields` (GraphQL specification, 6.3) for one response key. */
export interface SelectedField {
  /** The response key: the alias, or the name. */
  readonly key: string;
  readonly name: string;
  /** All fields of the document that merge into this one. The first one has the arguments. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** Undefined for the meta fields (`__typename`, `__schema`, `__type`). */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** The selections below: none for a leaf, one for an object type, one per possible type for a union. */
  readonly beneath: readonly SelectedObject[];
}

export interface SelectedObject {
  readonly type: string;
  /** Fields in the order of keys that the specification requires. */
  readonly fields: readonly SelectedField[];
}

/** `CollectFields` of the specification (6.3.2), down to the leaves, for coerced variables. */
export class Selector {
  #fields = 0;

  /** @param mostFields An alias in a fragment selects its field at each place of the fragment. */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>,
    private readonly variables: Variables,
    private readonly mostFields = Infinity,
  ) {}

  /** @throws GraphQLError when the selection has too many fields. */
  object(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectedObject {
    const grouped = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const set of sets) this.#collect(type, set, grouped, visited);
    return { type: type.name, fields: [...grouped.values()].map((nodes) => this.field(type, nodes)) };
  }

  /** Merges several nodes into one field. */
  field(parent: GraphQLObjectType, nodes: readonly FieldNode[]): SelectedField {
    this.#fields += 1;
    if (this.#fields > this.mostFields) {
      throw codedError('cost_limit_exceeded', `An operation selects at most ${this.mostFields} fields`);
    }
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error('A field has at least one node');
    const name = first.name.value;
    const key = first.alias?.value ?? name;
    const field = parent.getFields()[name];
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const beneath = field === undefined ? [] : this.#objects(getNamedType(field.type), sets);
    return { key, name, nodes: [first, ...others], field, beneath };
  }

  #objects(type: GraphQLNamedType, sets: readonly SelectionSetNode[]): SelectedObject[] {
    if (isObjectType(type)) return [this.object(type, sets)];
    if (isAbstractType(type)) return this.schema.getPossibleTypes(type).map((possible) => this.object(possible, sets));
    return [];
  }

  #collect(
    type: GraphQLObjectType,
    set: SelectionSetNode,
    grouped: Map<string, FieldNode[]>,
    visited: Set<string>,
  ): void {
    for (const node of set.selections) {
      if (!this.#included(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const nodes = grouped.get(key);
        if (nodes === undefined) grouped.set(key, [node]);
        else nodes.push(node);
        continue;
      }
      if (node.kind === Kind.INLINE_FRAGMENT) {
        if (this.#applies(node.typeCondition?.name.value, type))
          this.#collect(type, node.selectionSet, grouped, visited);
        continue;
      }
      const name = node.name.value;
      const fragment = this.fragments[name];
      if (fragment === undefined || visited.has(name)) continue;
      visited.add(name);
      if (this.#applies(fragment.typeCondition.name.value, type)) {
        this.#collect(type, fragment.selectionSet, grouped, visited);
      }
    }
  }

  #included(node: SelectionNode): boolean {
    if (node.directives === undefined || node.directives.length === 0) return true;
    if (getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.['if'] === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.['if'] !== false;
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const conditional = this.schema.getType(condition);
    return isCompositeType(conditional) && isAbstractType(conditional) && this.schema.isSubType(conditional, type);
  }
}
