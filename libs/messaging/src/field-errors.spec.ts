import { z } from 'zod';
import { fieldErrors } from './field-errors.js';

const schema = z.strictObject({ first: z.int().max(50), list: z.array(z.object({ 'a/b~c': z.string() })) });

function errorsOf(value: unknown) {
  const result = schema.safeParse(value);
  return result.success ? [] : fieldErrors(result.error);
}

test('each fault has a JSON Pointer, escaped as RFC 6901 §3 wants it', () => {
  const pointers = errorsOf({ first: 51, list: [{ 'a/b~c': 1 }], color: 'red' }).map(({ pointer }) => pointer);
  expect(pointers.sort()).toEqual(['/color', '/first', '/list/0/a~1b~0c']);
});

test('a fault of the whole has the pointer of the whole', () => {
  expect(errorsOf('text')).toMatchObject([{ pointer: '', code: 'invalid_type' }]);
});

test('no more than twenty are told', () => {
  expect(errorsOf({ first: 1, list: Array.from({ length: 30 }, () => ({})) })).toHaveLength(20);
});

test('no more than twenty unknown keys are told, and no key at length', () => {
  const keys = Array.from({ length: 10_000 }, (_none, i) => [`${'k'.repeat(1_000)}${i}`, i]);
  const errors = errorsOf({ first: 1, list: [], ...Object.fromEntries(keys) });
  expect(errors).toHaveLength(20);
  expect(errors[0]?.pointer).toBe(`/${'k'.repeat(100)}`);
});
