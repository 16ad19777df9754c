import { readPageArguments } from '#src/paging/page-arguments.policy.js';
import type { PageArguments } from '#src/paging/page-arguments.policy.js';
import { argumentsOf, has, variablesOf } from './arguments.js';
import type { SelectedField, Variables } from './selection.js';
import type { Binding, ConnectionField, Page } from './statement.js';

/** Cached for fields whose arguments are the same for every request. */
const constants = new WeakMap<SelectedField, PageArguments>();

/** @throws GraphQLError for sizes out of range. */
export function pageArguments(field: SelectedField, variables: Variables): PageArguments {
  const known = constants.get(field);
  if (known !== undefined) return known;
  const read = readPageArguments(argumentsOf(field, variables));
  if (variablesOf(field).length === 0) constants.set(field, read);
  return read;
}

export function isBackward(field: SelectedField, variables: Variables): boolean {
  return has(field, 'last') && typeof argumentsOf(field, variables)['last'] === 'number';
}

/**
 * The page of a connection for one request, with verified cursors.
 *
 * @throws GraphQLError, ApiError `invalid_cursor`
 */
export function pageOf({ field, source }: ConnectionField, variables: Variables, scope: Binding['scope']): Page {
  const { size, after, before } = pageArguments(field, variables);
  const read = (cursor: string | null) => (cursor === null ? null : scope(source.name).read(cursor));
  return { size, after: read(after), before: read(before) };
}
