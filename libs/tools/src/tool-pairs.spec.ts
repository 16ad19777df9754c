import { z } from 'zod';
import { pairsOf } from './tool-pairs.js';

const texts = z.record(z.string().regex(/^[a-z]+$/), z.string().max(3));
const typed = z.record(z.string(), z.union([z.string().max(3), z.number(), z.boolean()]));

const failed = (schema: z.ZodType, value: unknown): readonly (readonly PropertyKey[])[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path);

it.each([
  ['a record', texts],
  ['a record with a default', texts.prefault({ a: 'b' })],
  ['a nullable record', texts.nullable().optional()],
])('reads %s from pairs', (_what, record) => {
  const schema = pairsOf(record, { removes: false });
  expect(schema.parse([{ key: 'a', value: 'x' }])).toEqual({ a: 'x' });
  expect(schema.parse([])).toEqual({});
  expect(failed(schema, [{ key: 'a', value: 7 }])).toEqual([[0, 'value']]);
  expect(failed(schema, [{ key: 'a', value: null }])).toEqual([[0, 'value']]);
  expect(failed(schema, { a: 'x' })).toEqual([[]]);
});

it('reads values of several types', () => {
  const pairs = [
    { key: 'a', value: 'x' },
    { key: 'b', value: -0.5 },
    { key: 'c', value: false },
  ];
  const values = { a: 'x', b: -0.5, c: false };
  expect(pairsOf(typed.prefault({}), { removes: false }).parse(pairs)).toEqual(values);
  const patch = z
    .record(z.string(), (typed.valueType as z.ZodType).nullable())
    .nullable()
    .optional();
  const removing = pairsOf(patch, { removes: true });
  expect(removing.parse([...pairs, { key: 'd', value: null }])).toEqual({ ...values, d: null });
  expect(failed(removing, [{ key: 'a', value: ['x'] }])).toEqual([[0, 'value']]);
});

it('takes null where the values of the record do, and says what it does in a patch', () => {
  const pairs = [{ key: 'a', value: null }];
  const record = z.record(z.string(), z.string().nullable());
  const described = (removes: boolean): object => {
    const schema = pairsOf(record, { removes });
    expect(schema.parse(pairs)).toEqual({ a: null });
    return z.toJSONSchema(schema, { io: 'input' });
  };
  const text = 'items.properties.value.description';
  expect(described(false)).not.toHaveProperty(text);
  expect(described(true)).toHaveProperty(text, 'null removes the key');
});

it('leaves the keys and the values to the record', () => {
  const schema = pairsOf(texts, { removes: false });
  expect(failed(schema, [{ key: 'A', value: 'x' }])).toEqual([['A']]);
  expect(failed(schema, [{ key: 'a', value: 'long' }])).toEqual([['a']]);
});

it('refuses a key that occurs twice', () => {
  const pair = { key: 'a', value: 'x' };
  expect(failed(pairsOf(texts, { removes: false }), [pair, pair])).toEqual([[]]);
});

it('refuses a schema that is not a record', () => {
  expect(() => pairsOf(z.string(), { removes: false })).toThrow('The argument is not a record');
});
