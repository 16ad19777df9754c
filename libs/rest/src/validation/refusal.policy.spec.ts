import { z } from 'zod';
import { jsonPointer, refuseBody, refuseQuery } from './refusal.policy.js';

const schema = z.strictObject({ name: z.string().max(3), list: z.array(z.strictObject({ n: z.int() })).optional() });

function faultsOf(value: unknown): unknown[] {
  const { error } = schema.safeParse(value, { reportInput: true });
  if (error === undefined) throw new Error('It is acceptable');
  return refuseBody(error).errors.map(({ pointer, code }) => [pointer, code]);
}

it.each<[unknown, unknown[]]>([
  [{}, [['/name', 'required']]],
  [{ name: 'abcd' }, [['/name', 'too_large']]],
  [{ name: null }, [['/name', 'invalid_type']]],
  [{ name: 'a', list: [{ n: 1 }, { n: 1.5 }] }, [['/list/1/n', 'invalid_type']]],
  [{ name: 'a', list: [{ n: 1, 'x/y': 2 }] }, [['/list/0/x~1y', 'unknown_member']]],
  [
    { name: 'a', b: 1, c: 2 },
    [
      ['/b', 'unknown_member'],
      ['/c', 'unknown_member'],
    ],
  ],
  [[], [['', 'invalid_type']]],
])('%j is refused with %j', (value, faults) => {
  expect(faultsOf(value)).toEqual(faults);
});

it('a pointer escapes the two characters that mean something in it', () => {
  expect(jsonPointer(['a/b', '~', 0])).toBe('/a~1b/~0/0');
});

it('no more than fifty faults are named', () => {
  const list = Array.from({ length: 200 }, () => ({}));
  expect(faultsOf({ name: 'a', list })).toHaveLength(50);
});

it('an unknown parameter goes before a wrong one, and is named', () => {
  const { error } = schema.safeParse({ name: 7, nmae: 'a' }, { reportInput: true });
  if (error === undefined) throw new Error('It is acceptable');
  expect(refuseQuery(error)).toMatchObject({
    code: 'unknown_parameter',
    message: 'Unknown parameter: nmae',
    errors: [{ pointer: 'nmae', code: 'unknown_parameter' }],
  });
});
