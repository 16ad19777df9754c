import { FORM_LIMITS } from '@lyceum/contracts';
import { changesOf, isAnother, requireActive, requireRoom } from './form.policy.js';

const FIELD = {
  key: 'name',
  type: 'text' as const,
  label: 'Name',
  required: true,
  options: [],
  max_length: null,
  minimum: null,
  maximum: null,
};
const FORM = { slug: 'contact', external_id: 'form-1', title: 'Contact', fields: [FIELD], active: true };

it.each([
  ['the same definition', {}, undefined],
  ['the same definition without the id of the school', { external_id: null }, undefined],
  ['another title', { title: 'Write to us' }, { title: 'Write to us' }],
  ['another slug', { slug: 'write', active: false }, { slug: 'write', active: false }],
  ['a changed field', { fields: [{ ...FIELD, required: false }] }, { fields: [{ ...FIELD, required: false }] }],
])('changes by %s', (_which, given, changes) => {
  expect(changesOf(FORM, { ...FORM, ...given })).toEqual(changes);
});

it('gives a form without an id of the school the one of the definition', () => {
  expect(changesOf({ ...FORM, external_id: null }, FORM)).toEqual({ external_id: 'form-1' });
});

it.each([
  ['no other form without an id of the definition', { external_id: 'form-1' }, undefined, null, false],
  ['no form without an id', { external_id: null }, undefined, 'form-2', false],
  ['a form with another id', { external_id: 'form-1' }, undefined, 'form-2', true],
  ['no form that the id names as well', { external_id: 'form-1' }, { id: 'a' }, 'form-1', false],
  ['a form when the id names another one', { external_id: null }, { id: 'b' }, 'form-2', true],
])('finds in the form with the slug %s', (_which, named, keyed, external_id, another) => {
  expect(isAnother({ id: 'a', ...named }, { keyed, external_id })).toBe(another);
});

it('accepts another form below the limit of the site', () => {
  expect(() => requireRoom(FORM_LIMITS.forms - 1)).not.toThrow();
  expect(() => requireRoom(FORM_LIMITS.forms)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it('accepts submissions of an active form', () => {
  expect(() => requireActive({ active: true })).not.toThrow();
  expect(() => requireActive({ active: false })).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});
