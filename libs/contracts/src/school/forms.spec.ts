import { FORM_LIMITS, defineForm, submitForm } from './forms.js';

const ID = '0199f6a0-0000-7000-8000-000000000001';
const FIELD = { key: 'name', type: 'text', label: 'Your name' };
const SELECT = { ...FIELD, type: 'select', options: ['red', 'blue'] };
const SENDER = { idempotency_key: 'form-1', site: 'org_0f' };
const FORM = { ...SENDER, slug: 'contact', title: 'Write to us', fields: [FIELD] };

it('fills in what a form leaves out', () => {
  const rest = { required: false, options: [], max_length: null, minimum: null, maximum: null };
  const fields = [{ ...FIELD, ...rest }];
  expect(defineForm.input.parse(FORM)).toEqual({ ...FORM, fields, external_id: null, active: true });
});

it.each<[object, readonly (readonly (string | number)[])[]]>([
  [{}, []],
  [{ max_length: FORM_LIMITS.textarea }, []],
  [{ type: 'number', minimum: 1, maximum: 1 }, []],
  [SELECT, []],
  [{ ...SELECT, type: 'multiselect' }, []],
  [{ ...SELECT, options: Array.from({ length: FORM_LIMITS.options }, (_, index) => `o${index}`) }, []],
  [{ ...SELECT, options: Array.from({ length: FORM_LIMITS.options + 1 }, (_, index) => `o${index}`) }, [['options']]],
  [{ type: 'select' }, [['options']]],
  [{ options: ['red'] }, [['options']]],
  [{ ...SELECT, options: ['red', 'red'] }, [['options']]],
  [{ type: 'number', max_length: 3 }, [['max_length']]],
  [{ minimum: 1, maximum: 2 }, [['minimum'], ['maximum']]],
  [{ type: 'number', minimum: 2, maximum: 1 }, [['maximum']]],
  [{ type: 'file' }, [['type']]],
  [{ key: 'Name' }, [['key']]],
  [{ key: 'a'.repeat(41) }, [['key']]],
  [{ label: '' }, [['label']]],
])('finds in the field %j the faults %j', (given, paths) => {
  const { error } = defineForm.input.safeParse({ ...FORM, fields: [{ ...FIELD, ...given }] });
  expect((error?.issues ?? []).map(({ path }) => path)).toEqual(paths.map((path) => ['fields', 0, ...path]));
});

it.each<[string, unknown, boolean]>([
  ['slug', 'write-to-us', true],
  ['slug', 'Write', false],
  ['external_id', 'form-1', true],
  ['title', 'two\nlines', false],
  ['fields', [], false],
  ['fields', [FIELD, { ...FIELD, key: 'other' }], true],
  ['fields', [FIELD, FIELD], false],
  ['fields', Array.from({ length: FORM_LIMITS.fields }, (_, index) => ({ ...FIELD, key: `f${index}` })), true],
  ['fields', Array.from({ length: FORM_LIMITS.fields + 1 }, (_, index) => ({ ...FIELD, key: `f${index}` })), false],
])('decides about a form with %s %j: %p', (member, value, accepted) => {
  expect(defineForm.input.safeParse({ ...FORM, [member]: value }).success).toBe(accepted);
});

it.each<[object, boolean]>([
  [{ form: { slug: 'contact' } }, true],
  [{ form: { external_id: 'form-1' }, student: { id: ID } }, true],
  [{ form: { id: ID, slug: 'contact' } }, false],
  [{ answers: { a: 'x', b: 1, c: true, d: ['y'] } }, true],
  [{ answers: { a: null } }, false],
  [{ answers: { a: { b: 'x' } } }, false],
  [{ answers: { ['a'.repeat(41)]: 'x' } }, false],
])('decides about the submission %j: %p', (given, accepted) => {
  const submission = { ...SENDER, occurred_at: '2026-11-20T22:00:00.000Z', form: { id: ID }, answers: {}, ...given };
  expect(submitForm.input.safeParse(submission).success).toBe(accepted);
});
