import { sharedId } from '@lyceum/contracts';
import { z } from 'zod';
import { instant, slug, text } from './fields.js';
import { patchOf, withDescription, withoutLimits } from './derived-schemas.js';

const seo = z.strictObject({ title: text(5).nullable(), words: z.array(text(5)) });

describe('patchOf', () => {
  it.each([
    ['a text', text(5), 'abc'],
    ['a member of an object', seo, { title: 'abc' }],
    ['no member of an object', seo.default({ title: null, words: [] }), {}],
    ['null of a record, and of its members', z.record(z.string(), text(5)), { a: null }],
    ['null where the value may be null', text(5).nullable(), null],
  ])('accepts %s', (_name, schema, value) => {
    expect(patchOf(schema, undefined).parse(value)).toEqual(value);
  });

  it('empties a list with a default by null, and no other', () => {
    const list = z.array(text(5));
    expect(patchOf(list, ['all']).parse(null)).toEqual(['all']);
    expect(patchOf(list, []).parse(['a'])).toEqual(['a']);
    expect(patchOf(list, undefined).safeParse(null).success).toBe(false);
  });

  it.each([
    ['a limit', text(5), 'abcdef'],
    ['the limit of a member', seo, { title: 'abcdef' }],
    ['an unknown member', seo, { subtitle: 'a' }],
    ['null of a text', text(5), null],
    ['null of an object', seo, null],
  ])('keeps the refusal of %s', (_name, schema, value) => {
    expect(patchOf(schema, undefined).safeParse(value).success).toBe(false);
  });
});

describe('withoutLimits', () => {
  it.each([
    ['text', text(5), 'a long text'],
    ['a slug', slug, 'No slug'],
    ['the default', text(5).default('abc'), 'a long text'],
    ['null', text(5).nullable(), null],
    ['a list', z.array(text(5)).max(1), ['a long text', 'b']],
    ['a record', z.record(slug, text(5)), { 'No slug': 'a long text' }],
    ['an object with a new member', z.strictObject({ a: text(5) }), { a: 'a long text', b: 1 }],
    ['a union', z.union([z.int().max(1), text(5)]), 12],
    ['a number', z.number().min(1), 0.5],
  ])('accepts %s beyond its limits', (_name, schema, value) => {
    expect(withoutLimits(schema).safeParse(value).success).toBe(true);
  });

  it.each([
    ['a whole number', z.int().max(5), 1.5],
    ['an id', z.uuid().toLowerCase(), 'no-id'],
    ['the words of an enumeration', z.enum(['draft']), 'published'],
    ['an instant', instant, new Date(0)],
    ['a text that is not null', text(5), null],
    ['a count', z.int().min(1).max(5), -1],
  ])('keeps the type of %s', (_name, schema, value) => {
    expect(withoutLimits(schema).safeParse(value).success).toBe(false);
  });

  it('shows an instant as text', () => {
    expect(withoutLimits(instant).parse('2026-11-22T08:00:00.000Z')).toBe('2026-11-22T08:00:00.000Z');
  });

  it('describes an instant of a response as one, with its own text only', () => {
    const described = (schema: z.ZodType) => z.toJSONSchema(withoutLimits(schema), { io: 'output' });
    expect(described(instant)).toMatchObject({ format: 'date-time' });
    expect('description' in described(instant)).toBe(false);
    const text = { description: 'When it starts' };
    expect(described(instant.meta(text))).toMatchObject({ format: 'date-time', ...text });
  });

  it('describes an id that requests write in two forms as a UUID', () => {
    const described = (schema: z.ZodType) => z.toJSONSchema(withoutLimits(schema), { io: 'output' });
    const id = sharedId('Post').meta({ description: 'The post' });
    expect(described(id)).toMatchObject({ type: 'string', format: 'uuid', description: 'The post' });
    expect(described(z.object({ post_id: id.nullable().default(null) }))).toMatchObject({
      properties: { post_id: { anyOf: [{ format: 'uuid' }, { type: 'null' }] } },
    });
  });

  it('keeps descriptions', () => {
    const described = z.strictObject({ a: text(5).meta({ description: 'A' }).nullable() });
    const { a } = (withoutLimits(described) as typeof described).shape;
    expect(a.meta()?.description).toBe('A');
  });
});

describe('withDescription', () => {
  it('adds the description, and nothing where it is missing', () => {
    const plain = z.string();
    expect(withDescription(z.int().meta({ description: 'A' }), plain).meta()?.description).toBe('A');
    expect(withDescription(z.int(), plain)).toBe(plain);
  });
});
