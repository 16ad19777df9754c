import { z } from 'zod';
import './issue-text.js';

const NAMES = Array.from({ length: 61 }, (_none, index) => `n${index}`) as [string, ...string[]];

/** The text of the first issue. */
const textOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

describe('the text of an issue', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing value', z.string().max(3), undefined, 'Required'],
    ['a missing word', z.enum(['a', 'b']), undefined, 'Required'],
    ['a missing alternative', z.union([z.string(), z.int()]), undefined, 'Required'],
    ['another type than text', z.string(), 7, 'Must be text'],
    ['another type than a whole number', z.int(), 'a', 'Must be a number'],
    ['a fraction', z.int(), 1.5, 'Must be a whole number'],
    ['another type than a list', z.array(z.int()), {}, 'Must be a list'],
    ['another type than an object', z.strictObject({}), null, 'Must be an object'],
    ['another type than a boolean', z.boolean(), 'yes', 'Must be true or false'],
    ['a type without words', z.symbol(), 1, 'Has the wrong type'],
    ['a long text', z.string().max(100), 'x'.repeat(101), 'At most 100 characters'],
    ['an empty text', z.string().min(1), '', 'At least 1 character'],
    ['a text of another length', z.string().length(2), 'x', 'Exactly 2 characters'],
    ['a long list', z.array(z.int()).max(1), [1, 2], 'At most 1 item'],
    ['a short list', z.array(z.int()).min(2), [], 'At least 2 items'],
    ['a small number', z.int().min(0), -1, 'At least 0'],
    ['a large number', z.number().max(7), 8, 'At most 7'],
    ['a number above its limit', z.number().lt(7), 7, 'Less than 7'],
    ['a number below its limit', z.number().gt(7), 7, 'More than 7'],
    ['a number above both limits', z.int().min(1).max(100), 101, 'Between 1 and 100'],
    ['a number below both limits', z.int().min(1).max(100), 0, 'Between 1 and 100'],
    ['a multiple', z.number().multipleOf(5), 6, 'Must be a multiple of 5'],
    ['an unknown word', z.enum(['draft', 'published']), 'x', 'One of: draft, published'],
    ['the only word', z.literal('a'), 'b', 'Must be a'],
    ['an id', z.uuid(), 'x', 'Must be a UUID'],
    ['an instant', z.iso.datetime(), '7', 'Must be an instant of RFC 3339, such as 2026-11-28T08:00:00Z'],
    ['a pattern', z.string().regex(/^a$/), 'b', 'Has the wrong form'],
    ['a pattern with an own text', z.string().regex(/^a$/, 'Only a'), 'b', 'Only a'],
    ['a rule', z.string().refine(() => false), 'b', 'Is not valid'],
    ['a rule with an own text', z.string().refine(() => false, 'Not today'), 'b', 'Not today'],
    [
      'an unknown name',
      z.strictObject({ a: z.int().optional(), b: z.int().optional() }),
      { c: 1 },
      'Unknown name. Known: a, b',
    ],
    ['a name of an empty object', z.strictObject({}), { c: 1 }, 'Unknown name'],
    ['a key of a record', z.record(z.string().max(1), z.int()), { ab: 1 }, 'At most 1 character'],
    ['an alternative', z.union([z.int(), z.boolean()]), 'x', 'Must be a number, or must be true or false'],
    ['the same alternatives', z.union([z.string().max(1), z.string().max(1)]), 7, 'Must be text'],
    [
      'an alternative of objects',
      z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      {},
      'Has none of the known forms',
    ],
    [
      'a discriminator',
      z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
      { type: 'c' },
      'One of: a, b',
    ],
  ])('says what is wrong with %s', (_name, schema, value, text) => {
    expect(textOf(schema, value)).toBe(text);
  });

  it('lists at most sixty words', () => {
    expect(textOf(z.enum(NAMES.slice(0, 60) as [string]), 'x')).toBe(`One of: ${NAMES.slice(0, 60).join(', ')}`);
    expect(textOf(z.enum(NAMES), 'x')).toBe(`One of: ${NAMES.slice(0, 60).join(', ')}, …`);
  });

  it('quotes no value', () => {
    for (const schema of [z.int(), z.uuid(), z.enum(['a']), z.string().max(3), z.strictObject({})])
      expect(textOf(schema, 'hunter2')).not.toContain('hunter2');
  });
});
