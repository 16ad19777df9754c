/** A table with rows of sites. */
export interface SiteTable {
  readonly name: string;
  /** True if an index finds the rows of a site. */
  readonly indexed: boolean;
}

/** A foreign key between two tables with rows of sites. */
export interface SiteReference {
  readonly child: string;
  readonly parent: string;
  /** The deletion of a row of the parent deletes its rows of the child. */
  readonly cascades: boolean;
  /** Columns of the child, and those of the parent in the same order. */
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
}

/**
 * The order in which the rows of a site can be deleted, table by table, each batch with a commit of its own. A table
 * comes before those that it references. A key that cascades orders two tables unless another key demands the opposite.
 *
 * @throws Error for keys that no order satisfies
 */
export function erasureOrder<T extends Pick<SiteTable, 'name'>>(
  tables: readonly T[],
  references: readonly Pick<SiteReference, 'child' | 'parent' | 'cascades'>[],
): readonly T[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const order: T[] = [];
  const isReferenced = (name: string, alsoByCascades: boolean): boolean =>
    references.some(
      ({ child, parent, cascades }) =>
        parent === name && child !== name && left.has(child) && (alsoByCascades || !cascades),
    );
  while (left.size > 0) {
    const all = [...left.values()];
    const next =
      all.find(({ name }) => !isReferenced(name, true)) ?? all.find(({ name }) => !isReferenced(name, false));
    if (next === undefined) throw new Error(`No order deletes the rows of ${[...left.keys()].join(', ')}`);
    left.delete(next.name);
    order.push(next);
  }
  return order;
}
