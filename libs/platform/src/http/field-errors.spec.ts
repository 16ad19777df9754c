import { z } from 'zod';
import { bodyErrors, jsonPointer, parameterErrors, receivedFieldErrors } from './field-errors.js';

const schema = z.strictObject({
  name: z.string().max(3),
  list: z.array(z.strictObject({ n: z.int(), 'a/b~c': z.string().optional() })).optional(),
  either: z.union([z.int(), z.boolean()]).optional(),
  even: z.number().multipleOf(2).optional(),
  odd: z
    .number()
    .refine((value) => value % 2 === 1)
    .optional(),
  flat: z
    .unknown()
    .refine((value) => typeof value !== 'object', { params: { code: 'too_deep' } })
    .refine((value) => !Array.isArray(value), { params: { code: 'other' } })
    .optional(),
});

function errorOf(value: unknown): z.ZodError {
  const { error } = schema.safeParse(value, { reportInput: true });
  if (error === undefined) throw new Error('It is acceptable');
  return error;
}

const placesOf = (value: unknown): unknown[] => bodyErrors(errorOf(value)).map(({ pointer, code }) => [pointer, code]);

describe('bodyErrors', () => {
  it.each<[unknown, unknown[]]>([
    [{}, [['/name', 'required']]],
    [{ name: 'abcd' }, [['/name', 'too_large']]],
    [{ name: null }, [['/name', 'invalid_type']]],
    [{ name: 'a', list: [{ n: 1 }, { n: 1.5 }] }, [['/list/1/n', 'invalid_type']]],
    [{ name: 'a', list: [{ n: 1, 'a/b~c': 1 }] }, [['/list/0/a~1b~0c', 'invalid_type']]],
    [{ name: 'a', list: [{ n: 1, 'x/y': 2 }] }, [['/list/0/x~1y', 'unknown_member']]],
    [
      { name: 'a', either: 'x', even: 3, odd: 2 },
      [
        ['/either', 'invalid_value'],
        ['/even', 'invalid_value'],
        ['/odd', 'invalid_value'],
      ],
    ],
    [
      { name: 'a', flat: [] },
      [
        ['/flat', 'too_deep'],
        ['/flat', 'invalid_value'],
      ],
    ],
    [
      { name: 'a', b: 1, c: 2 },
      [
        ['/b', 'unknown_member'],
        ['/c', 'unknown_member'],
      ],
    ],
    [[], [['', 'invalid_type']]],
  ])('reports the places of %j', (value, places) => {
    expect(placesOf(value)).toEqual(places);
  });

  it('reports at most fifty places', () => {
    expect(placesOf({ name: 'a', list: Array.from({ length: 200 }, () => ({})) })).toHaveLength(50);
  });

  it('names the known members with the first unknown one', () => {
    expect(bodyErrors(errorOf({ name: 'a', b: 1, c: 2 })).map(({ detail }) => detail)).toEqual([
      'Unknown name. Known: name, list, either, even, odd, flat',
      'Unknown name',
    ]);
  });

  it('reports at most fifty unknown members, with shortened names', () => {
    const keys = Array.from({ length: 10_000 }, (_none, i) => [`${'k'.repeat(1_000)}${i}`, i]);
    const errors = bodyErrors(errorOf({ name: 'a', ...Object.fromEntries(keys) }));
    expect(errors).toHaveLength(50);
    expect(errors[0]?.pointer).toBe(`/${'k'.repeat(100)}`);
  });
});

it('reports a parameter without a pointer', () => {
  expect(parameterErrors(errorOf({ name: 'abcd', nmae: 'a' }))).toEqual([
    { parameter: 'name', code: 'too_large', detail: expect.any(String) },
    {
      parameter: 'nmae',
      code: 'unknown_parameter',
      detail: expect.stringMatching(/^Unknown name\. Known: name, list/),
    },
  ]);
});

it('escapes the two special characters of a pointer', () => {
  expect(jsonPointer(['a/b', '~', 0])).toBe('/a~1b/~0/0');
});

describe('receivedFieldErrors', () => {
  it('accepts both kinds of places, and maps an unknown code to invalid_value', () => {
    const errors = [
      { pointer: '/a', code: 'required', detail: 'x' },
      { parameter: 'limit', code: 'of_a_newer_release', detail: 'y' },
    ];
    expect(receivedFieldErrors.parse(errors)).toEqual([
      { pointer: '/a', code: 'required', detail: 'x' },
      { parameter: 'limit', code: 'invalid_value', detail: 'y' },
    ]);
  });
});
