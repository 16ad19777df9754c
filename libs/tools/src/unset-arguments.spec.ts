import { z } from 'zod';
import { withoutUnset } from './unset-arguments.js';

const input = z.strictObject({
  id: z.uuid(),
  q: z.string().min(1).optional(),
  note: z.string().optional(),
  first: z.int().default(20),
  subtitle: z.string().min(1).nullable().optional(),
  place: z.strictObject({ query: z.record(z.string(), z.string()).default({}) }).prefault({}),
  people: z
    .array(z.strictObject({ email: z.email(), name: z.string().min(1).optional(), ends: z.iso.date().nullish() }))
    .optional(),
  tags: z.array(z.string()).optional(),
});

it.each<[string, object, object]>([
  ['null for an optional argument', { q: null, first: null, place: null }, {}],
  ['an empty text that the type refuses', { q: '' }, {}],
  ['null within an optional object', { place: { query: null } }, { place: {} }],
  ['null within the objects of a list', { people: [{ name: null }, { name: 'x' }] }, { people: [{}, { name: 'x' }] }],
  ['an empty text within the objects of a list', { people: [{ name: '' }] }, { people: [{}] }],
])('drops %s', (_what, args, rest) => {
  expect(withoutUnset(input, { ...args })).toEqual(rest);
});

it.each<[string, object]>([
  ['null that the type has', { subtitle: null }],
  ['an empty text that the type takes', { note: '' }],
  ['an empty text where null clears', { subtitle: '' }],
  ['null for a needed argument', { id: null }],
  ['null for an unknown argument', { unknown: null, constructor: null }],
  ['values', { q: 'x', first: 0, place: { query: {} } }],
  ['another type', { place: [null] }],
  ['null that the objects of a list have', { people: [{ ends: null }] }],
  ['null for a needed argument of an object in a list', { people: [{ email: null }] }],
  ['other items of a list', { people: [null, 'x', []], tags: ['', null] }],
])('keeps %s', (_what, args) => {
  expect(withoutUnset(input, { ...args })).toEqual(args);
});

it('keeps an empty text and drops null for a tool that writes', () => {
  const args = { q: '', first: null, people: [{ name: '' }, { name: null }] };
  expect(withoutUnset(input, args, { writes: true })).toEqual({ q: '', people: [{ name: '' }, {}] });
});
