import { holdsScopes } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { CollectionParts } from '../declaration/declared.js';

type Show = (row: object, shown: object) => object;

/**
 * Members that a request asks for by `expand`: one query for each member, however many rows there are.
 *
 * @throws `insufficient_scope` without the read scope of what a member shows.
 */
export async function expand(
  { resource, expansions }: CollectionParts,
  service: unknown,
  principal: Principal,
  { rows, names = [] }: { readonly rows: readonly object[]; readonly names: readonly string[] | undefined },
): Promise<Show> {
  // Most requests expand nothing, and a list has many rows.
  if (names.length === 0) return (_row, shown) => shown;
  const lacking = names.find((name) => !holdsScopes(principal, [resource.expand[name]?.scope ?? '']));
  if (lacking !== undefined) {
    const scope = resource.expand[lacking]?.scope ?? '';
    throw new ApiError('insufficient_scope', `expand=${lacking} needs the scope ${scope}`, { scopes: [scope] });
  }
  const loaded = await Promise.all(
    names.map(async (name) => [name, await expansions[name]?.(service, { principal, rows })] as const),
  );
  return (row, shown) => {
    const id = String(Reflect.get(row, 'id'));
    return { ...shown, ...Object.fromEntries(loaded.map(([name, values]) => [name, values?.get(id) ?? null])) };
  };
}
