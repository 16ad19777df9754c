import { Kind, getArgumentValues } from 'graphql';
import { readPageArguments } from '#src/paging/page-arguments.policy.js';
import type { PageArguments } from '#src/paging/page-arguments.policy.js';
import type { SelectedField, Variables } from './selection.js';
import type { Binding, ConnectionField, Page } from './statement.js';

/** Of fields whose arguments are the same for every request. */
const constants = new WeakMap<SelectedField, PageArguments>();

/** @throws GraphQLError for sizes out of range. */
export function pageArguments(field: SelectedField, variables: Variables): PageArguments {
  const known = constants.get(field);
  if (known !== undefined) return known;
  const read = readPageArguments(values(field, variables));
  if (variablesOf(field).length === 0) constants.set(field, read);
  return read;
}

export function isBackward(field: SelectedField, variables: Variables): boolean {
  return has(field, 'last') && typeof values(field, variables)['last'] === 'number';
}

/** True when the argument stands in the document, whatever its value. */
export function has({ nodes }: SelectedField, argument: string): boolean {
  return nodes[0].arguments?.some(({ name }) => name.value === argument) === true;
}

/** The variables that the arguments of the field take their values from. */
export function variablesOf({ nodes }: SelectedField): string[] {
  return (nodes[0].arguments ?? []).flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []));
}

/**
 * The page of a connection for one request, cursors read.
 *
 * @throws GraphQLError, Outcome `invalid_cursor`
 */
export function pageOf({ field, source }: ConnectionField, variables: Variables, scope: Binding['scope']): Page {
  const { size, after, before } = pageArguments(field, variables);
  const read = (cursor: string | null) => (cursor === null ? null : scope(source.name).read(cursor));
  return { size, after: read(after), before: read(before) };
}

function values({ field, nodes }: SelectedField, variables: Variables): Record<string, unknown> {
  if (field === undefined) throw new Error('A meta field has no arguments');
  return getArgumentValues(field, nodes[0], variables);
}
