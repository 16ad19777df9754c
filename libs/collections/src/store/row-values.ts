import { Where } from '@lyceum/rest';
import type { SiteRow } from './site-row.js';
import type { Caller, Fence, Within } from './store-declaration.js';

/** Returns the values of a unique key. Undefined: one is missing, so that no other row can have them. */
export function keyOf<Row>(unique: string | readonly string[], values: object): Within<Row> | undefined {
  const key = [unique].flat().map((name): [string, unknown] => [name, Reflect.get(values, name) ?? undefined]);
  return key.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(key) as Within<Row>);
}

/** Fields that a change names, without those that the store itself sets. */
export function fieldsOf(changes: object): string[] {
  return Object.keys(changes).filter((field) => field !== 'revision' && field !== 'updated_at');
}

/** The columns that follow an edit, and the entity tag with them. @throws Error to keep a tag that is the version */
export function editOf({ revision }: SiteRow & { readonly revision?: number }, keepsTag: boolean): object {
  if (keepsTag && revision === undefined) throw new Error('To keep its entity tag, a row needs a column `revision`');
  return keepsTag ? {} : { ...(revision !== undefined && { revision: revision + 1 }), updated_at: new Date() };
}

/** In place of the id of a parent: an object by its own id, below any parent. No text of a request equals it. */
export const ANY_PARENT = Symbol('any parent');

/** The condition on rows of the site with these values, or one of a list of values, that the fence shows the caller. */
export function whereOf(caller: Caller, within: object, fence: Fence | undefined): Where {
  const where = new Where(caller);
  for (const column of Object.keys(within)) {
    const value: unknown = Reflect.get(within, column);
    if (value === ANY_PARENT) continue;
    // A condition without a value would be left out, and show other rows.
    if (value === undefined) throw new Error(`${column} has no value`);
    where.and(Array.isArray(value) ? `${column} = any(?)` : `${column} = ?`, value);
  }
  if (fence === undefined) return where;
  return fence.value === undefined ? where.also(fence.condition) : where.and(fence.condition, fence.value);
}

/** The select list, in which the value of the fence is the one at `place`: the last one of the conditions. */
export function selectWithin(
  fence: Fence | undefined,
  place: number,
  all: string,
  without: (names: readonly string[]) => string,
): string {
  const narrowed = Object.entries(fence?.narrowed ?? {});
  if (narrowed.length === 0) return all;
  const seen = narrowed.map(([name, sql]) => `${sql.replaceAll('?', `$${place}`)} as ${name}`);
  return [without(narrowed.map(([name]) => name)), ...seen].join(', ');
}

/** Shows a written row as the fence shows the locked one. */
export function narrow(fence: Fence | undefined, written: object, row: object): void {
  for (const name of Object.keys(fence?.narrowed ?? {})) Reflect.set(written, name, Reflect.get(row, name));
}

/** The event of a row, without its name. */
export function eventOf<Data>(
  { id, version, site_id, external_id }: SiteRow & { external_id?: string | null },
  data: Data,
) {
  return { aggregate_id: id, aggregate_version: version, site_id, data: Object.assign({ external_id }, data) };
}
