import { Kind, getArgumentValues } from 'graphql';
import type { SelectedField, Variables } from './selection.js';

/** The coerced arguments of a field. */
export function argumentsOf({ field, nodes }: SelectedField, variables: Variables): Record<string, unknown> {
  if (field === undefined) throw new Error('A meta field has no arguments');
  return getArgumentValues(field, nodes[0], variables);
}

export function argumentOf(field: SelectedField, name: string, variables: Variables): unknown {
  return argumentsOf(field, variables)[name];
}

/** True when the document has the argument, with any value. */
export function has({ nodes }: SelectedField, argument: string): boolean {
  return nodes[0].arguments?.some(({ name }) => name.value === argument) === true;
}

/** The variables used in the arguments of the field. */
export function variablesOf({ nodes }: SelectedField): string[] {
  return (nodes[0].arguments ?? []).flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []));
}
