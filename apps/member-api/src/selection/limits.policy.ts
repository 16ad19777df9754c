import { PAGE } from '#src/paging/page-arguments.policy.js';
import type { SelectedField, SelectedObject } from './selection.js';
import type { Sources } from './sources.js';

export const LIMITS = {
  depth: 8,
  cost: 1000,
  /** Bytes of a response with texts of courses and lectures, in UTF-8. */
  responseBytes: 4 * 1_024 * 1_024,
  aliases: 30,
  tokens: 1000,
  repeats: 30,
  /** Fields of an operation, counted at each place of their fragments. */
  fields: 5_000,
  /** Fields `__type` of a document. */
  introspectedTypes: 10,
  /** Points of an operation with `__schema` or `__type`, which takes up to 0.1 s. */
  introspection: 10,
  /** Characters of variables of which each error is reported; the text of an error has the value. */
  explainedVariables: 4_096,
  /** Points of a rejected document: parsing it costs time, and a client may repeat it. */
  refused: 10,
} as const;

const INTROSPECTION = new Set(['__schema', '__type']);

/** Fields from the root to the deepest leaf. Introspection has its own limit, in the validation of graphql-js. */
export function depthOf(object: SelectedObject): number {
  const depths = object.fields
    .filter(({ name }) => !INTROSPECTION.has(name))
    .map(({ beneath }) => 1 + Math.max(0, ...beneath.map(depthOf)));
  return Math.max(0, ...depths);
}

/** The cost of an operation: a constant part, and a part per node of each connection. */
export interface Cost {
  fixed: number;
  readonly perNode: Map<SelectedField, Cost>;
}

/**
 * An object costs 1 and a scalar 0, and both the `points` of their source. `totalCount` costs 1. A connection costs 1
 * plus its page size times (1 + the cost of one node). A union costs as much as its most expensive type. A list without
 * pages costs as much as one of its items, except for the `pointsEach` of their fields. Introspection has one price.
 * Built once per document; `total` applies the page sizes.
 *
 * @param items number of objects of the list without pages that the object is in
 */
export function costOf(object: SelectedObject, sources: Sources, items = 1): Cost {
  const introspects = object.fields.some(({ name }) => INTROSPECTION.has(name));
  const cost: Cost = { fixed: introspects ? LIMITS.introspection : 0, perNode: new Map() };
  for (const field of object.fields) {
    const source = sources[object.type]?.[field.name];
    if (source !== undefined && 'points' in source) cost.fixed += source.points ?? 0;
    if (source !== undefined && 'pointsEach' in source) cost.fixed += (source.pointsEach ?? 0) * items;
    if (field.beneath.length === 0) continue;
    cost.fixed += 1;
    if (source?.kind === 'connection') addConnection(cost, field, sources);
    else addDearest(cost, field, sources, source?.kind === 'list' ? items * (source.items ?? 1) : 1);
  }
  return cost;
}

/** `sizeOf` returns a connection's page size. An invalid size counts as a single node. */
export function total(cost: Cost, sizeOf: (connection: SelectedField) => number): number {
  let sum = cost.fixed;
  for (const [connection, node] of cost.perNode) sum += sizeOf(connection) * total(node, sizeOf);
  return sum;
}

function addConnection(cost: Cost, connection: SelectedField, sources: Sources): void {
  const node: Cost = { fixed: 0, perNode: new Map() };
  for (const part of connection.beneath[0]?.fields ?? []) {
    if (part.name === 'totalCount') cost.fixed += 1;
    if (part.name === 'nodes') addDearest(add(node, 1), part, sources);
    if (part.name !== 'edges') continue;
    add(node, 1);
    for (const inner of part.beneath[0]?.fields ?? []) if (inner.name === 'node') addDearest(node, inner, sources);
  }
  if (node.fixed > 0) cost.perNode.set(connection, node);
}

function addDearest(cost: Cost, field: SelectedField, sources: Sources, items = 1): void {
  const costs = field.beneath.map((object) => costOf(object, sources, items));
  const dearest = costs.toSorted((a, b) => worst(b) - worst(a))[0];
  if (dearest === undefined) return;
  add(cost, dearest.fixed);
  for (const [connection, node] of dearest.perNode) cost.perNode.set(connection, node);
}

function add(cost: Cost, points: number): Cost {
  cost.fixed += points;
  return cost;
}

const worst = (cost: Cost): number => total(cost, () => PAGE.max);
