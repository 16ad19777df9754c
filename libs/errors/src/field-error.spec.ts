import { summaryOf } from './field-error.js';
import type { FieldError } from './field-error.js';

it.each<[FieldError[], string]>([
  [[{ pointer: '/title', code: 'too_large', detail: 'At most 200 characters' }], '/title: at most 200 characters'],
  [[{ parameter: 'limit', code: 'too_large', detail: 'Between 1 and 100' }], 'limit: between 1 and 100'],
  [[{ pointer: '/a', code: 'invalid_value', detail: 'A tag occurs twice' }], '/a: a tag occurs twice'],
  [[{ pointer: '/a', code: 'invalid_format', detail: 'HTTPS only' }], '/a: HTTPS only'],
  [[{ pointer: '', code: 'invalid_type', detail: 'Must be an object' }], 'Must be an object'],
  [
    [
      { pointer: '/b', code: 'required', detail: 'Required' },
      { pointer: '/a', code: 'required', detail: 'Required' },
    ],
    '/b: required',
  ],
  [[], 'The body is empty'],
])('sums up %j', (errors, summary) => {
  expect(summaryOf(errors, 'The body is empty')).toBe(summary);
});
