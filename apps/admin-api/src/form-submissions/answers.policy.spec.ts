import { FORM_LIMITS } from '@lyceum/contracts';
import type { FormAnswers, FormField } from '@lyceum/contracts';
import { answersOf } from './answers.policy.js';

const field = (given: Partial<FormField>): FormField => ({
  key: 'a',
  type: 'text',
  label: 'A',
  required: false,
  options: [],
  max_length: null,
  minimum: null,
  maximum: null,
  ...given,
});

const OPTIONS = { options: ['red', 'blue'] };

it.each<[string, Partial<FormField>, unknown]>([
  ['text', {}, 'One line'],
  ['text', {}, 'x'.repeat(FORM_LIMITS.text)],
  ['text', { max_length: 3 }, 'abc'],
  ['text', { max_length: 3 }, '😀😀😀'],
  ['text', {}, '😀'.repeat(FORM_LIMITS.text)],
  ['textarea', {}, 'Two\nlines'],
  ['textarea', {}, 'x'.repeat(FORM_LIMITS.textarea)],
  ['select', OPTIONS, 'red'],
  ['multiselect', OPTIONS, ['red', 'blue']],
  ['checkbox', {}, false],
  ['checkbox', { required: true }, true],
  ['email', {}, 'mei@example.com'],
  ['number', {}, -0.5],
  ['number', { minimum: 1, maximum: 3, required: true }, 1],
  ['number', { minimum: 1, maximum: 3 }, 3],
  ['number', { required: true }, 0],
  ['date', {}, '2028-02-29'],
])('accepts for a %s %j the answer %j', (type, given, answer) => {
  const fields = [field({ ...given, type: type as FormField['type'] })];
  expect(answersOf(fields, { a: answer } as FormAnswers)).toEqual({ a: answer });
});

it.each<[string, Partial<FormField>, unknown, string]>([
  ['text', {}, 'Two\nlines', 'invalid_format'],
  ['text', {}, 'a\u0000b', 'invalid_format'],
  ['text', {}, '\ud800', 'invalid_format'],
  ['text', {}, 1, 'invalid_type'],
  ['text', {}, 'x'.repeat(FORM_LIMITS.text + 1), 'too_large'],
  ['text', { max_length: 3 }, 'abcd', 'too_large'],
  ['text', { max_length: FORM_LIMITS.textarea }, 'x'.repeat(FORM_LIMITS.text + 1), 'too_large'],
  ['text', { required: true }, ' ', 'required'],
  ['textarea', {}, 'a\u0000b', 'invalid_format'],
  ['select', OPTIONS, 'green', 'invalid_value'],
  ['select', OPTIONS, ['red'], 'invalid_value'],
  ['multiselect', OPTIONS, 'red', 'invalid_type'],
  ['multiselect', OPTIONS, ['red', 'green'], 'invalid_value'],
  ['multiselect', OPTIONS, ['red', 'red'], 'repeated'],
  ['multiselect', { ...OPTIONS, required: true }, [], 'required'],
  ['checkbox', {}, 'true', 'invalid_type'],
  ['checkbox', { required: true }, false, 'required'],
  ['email', {}, 'mei', 'invalid_format'],
  ['number', {}, '1', 'invalid_type'],
  ['number', { minimum: 1 }, 0, 'too_small'],
  ['number', { maximum: 1 }, 2, 'too_large'],
  ['date', {}, '2027-02-29', 'invalid_format'],
  ['date', { required: true }, undefined, 'required'],
])('refuses for a %s %j the answer %j as %s', (type, given, answer, code) => {
  const fields = [field({ ...given, type: type as FormField['type'] })];
  const answers = (answer === undefined ? {} : { a: answer }) as FormAnswers;
  const errors = [expect.objectContaining({ pointer: '/answers/a', code })];
  expect(() => answersOf(fields, answers)).toThrow(expect.objectContaining({ code: 'validation_failed', errors }));
});

it('names each answer that does not fit, and those that no field has', () => {
  const fields = [field({ required: true }), field({ key: 'b', type: 'number' })];
  const errors = [
    expect.objectContaining({ pointer: '/answers/c~1d', code: 'unknown_member' }),
    expect.objectContaining({ pointer: '/answers/a', code: 'required' }),
    expect.objectContaining({ pointer: '/answers/b', code: 'invalid_type' }),
  ];
  expect(() => answersOf(fields, { 'c/d': 'x', b: 'one' })).toThrow(expect.objectContaining({ errors }));
});

it('keeps the order of the fields, trims text, and leaves out empty answers', () => {
  const fields = ['a', 'b', 'c'].map((key) => field({ key }));
  const list = field({ key: 'd', type: 'multiselect', ...OPTIONS });
  const answers = answersOf([...fields, list], { d: [], c: ' last ', b: '  ', a: 'first' });
  expect(Object.entries(answers)).toEqual([
    ['a', 'first'],
    ['c', 'last'],
  ]);
});

it('limits the characters of all answers', () => {
  const fields = ['a', 'b', 'c', 'd'].map((key) => field({ key, type: 'textarea' }));
  const long = 'x'.repeat(FORM_LIMITS.textarea);
  expect(() => answersOf(fields, { a: long, b: long, c: long })).not.toThrow();
  const errors = [expect.objectContaining({ pointer: '/answers', code: 'too_large' })];
  expect(() => answersOf(fields, { a: long, b: long, c: long, d: 'x' })).toThrow(expect.objectContaining({ errors }));
});
