import { buildSchema, parse } from 'graphql';
import type { FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { costOf, depthOf, total } from './limits.policy.js';
import { Selector } from './selection.js';
import type { Sources } from './sources.js';

const schema = buildSchema(`
  type Query { a: Node }
  type Node { a: Node, leaf: Int, each: Int, list: [Node!]!, many: Many, one: Either }
  type Many { nodes: [Node!]!, edges: [Edge!]!, totalCount: Int, pageInfo: Info }
  type Edge { cursor: String, node: Node }
  type Info { endCursor: String }
  type Cheap { leaf: Int }
  union Either = Node | Cheap
`);
const many = { kind: 'connection', name: 'many', from: '', keys: ['', ''] } as const;
const list = { kind: 'list', from: '', orderBy: '', items: 7 } as const;
const each = { kind: 'value', json: '', points: 1, pointsEach: 3 } as const;
const sources: Sources = { Node: { many, list, each } };

function select(text: string) {
  const { definitions } = parse(text);
  const operation = definitions[0] as OperationDefinitionNode;
  const fragments = definitions.slice(1) as FragmentDefinitionNode[];
  const named = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
  const root = schema.getQueryType();
  if (!root) throw new Error('The document has no query');
  return new Selector(schema, named, {}).object(root, [operation.selectionSet]);
}
const nested = (depth: number): string => (depth === 1 ? 'leaf' : `a { ${nested(depth - 1)} }`);

describe('the depth of a selection', () => {
  it.each([
    ['{ __typename }', 1],
    [`{ ${nested(8)} }`, 8],
    [`{ ${nested(9)} }`, 9],
    ['{ a { leaf } b: a { a { leaf } } }', 3],
    [`{ ...F } fragment F on Query { a { ... { a { leaf } } } }`, 3],
    ['{ __schema { types { fields { type { name } } } } }', 0],
    ['{ a { leaf a @skip(if: true) { a { leaf } } } }', 2],
  ])('computes for %s the depth %i', (text, expected) => {
    expect(depthOf(select(text))).toBe(expected);
  });
});

describe('the cost of a selection', () => {
  it.each([
    ['{ __typename }', 0],
    ['{ __schema { types { name } } }', 10],
    ['{ ...T a { leaf } } fragment T on Query { __schema { types { name } } t: __type(name: "A") { name } }', 10 + 1],
    ['{ a { leaf l: leaf } }', 1],
    ['{ a { a { leaf } b: a { leaf } } }', 3],
    ['{ a { list { leaf } } }', 2],
    ['{ a { many { totalCount } } }', 3],
    ['{ a { many { pageInfo { endCursor } } } }', 2],
    ['{ a { many { nodes { leaf } } } }', 2 + 10],
    ['{ a { many { edges { cursor } } } }', 2 + 10],
    ['{ a { many { edges { node { leaf a { leaf } } } } } }', 2 + 10 * 2],
    ['{ a { many { nodes { many { nodes { leaf } } } } } }', 2 + 10 * (1 + 1 + 10)],
    ['{ a { each } }', 1 + 1 + 3],
    ['{ a { list { each a { each } } } }', 1 + 1 + (1 + 7 * 3) + 1 + (1 + 3)],
    ['{ a { list { list { each } } } }', 1 + 1 + 1 + (1 + 7 * 7 * 3)],
    ['{ a { many { nodes { list { each } } } } }', 2 + 10 * (1 + 1 + 1 + 7 * 3)],
    ['{ a { one { ... on Cheap { leaf } ... on Node { a { leaf } list { leaf } } } } }', 1 + 1 + 2],
  ])('computes for %s the cost %i with pages of ten', (text, expected) => {
    expect(total(costOf(select(text), sources), () => 10)).toBe(expected);
  });
});
