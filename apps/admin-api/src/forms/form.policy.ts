import { isDeepStrictEqual } from 'node:util';
import { FORM_LIMITS } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Form } from './form.entity.js';

export type Definition = Pick<Form, 'slug' | 'external_id' | 'title' | 'fields' | 'active'>;

/** Returns what a definition changes in a form. A definition without an `external_id` keeps that of the form. */
export function changesOf(form: Definition, { external_id, ...rest }: Definition): Partial<Definition> | undefined {
  const given: Definition = { ...rest, external_id: external_id ?? form.external_id };
  const names = Object.keys(given) as (keyof Definition)[];
  const changed = names.filter((name) => !isDeepStrictEqual(given[name], form[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, given[name]]));
}

/** True when the form with the slug of a definition is not the one that the definition means. */
export function isAnother(
  named: Pick<Form, 'id' | 'external_id'>,
  { keyed, external_id }: { readonly keyed: Pick<Form, 'id'> | undefined; readonly external_id: string | null },
): boolean {
  if (keyed !== undefined) return named.id !== keyed.id;
  return external_id !== null && named.external_id !== null;
}

/** @throws `invalid_state` at the limit of the site */
export function requireRoom(forms: number): void {
  if (forms >= FORM_LIMITS.forms) throw new ApiError('invalid_state', `A site has at most ${FORM_LIMITS.forms} forms`);
}

/** @throws `invalid_state` for a form that accepts no submissions */
export function requireActive({ active }: Pick<Form, 'active'>): void {
  if (active) return;
  throw new ApiError('invalid_state', 'The form is not active', {
    errors: [{ pointer: '/form', code: 'invalid_state', detail: 'An active form' }],
  });
}
