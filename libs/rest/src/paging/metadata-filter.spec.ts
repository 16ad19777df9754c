import { gathered, metadataFilter } from './metadata-filter.js';

it('gathers the keys of metadata in one order, and leaves other parameters', () => {
  const query = { limit: '1', 'metadata[b]': '2', 'metadata[a.b-c]': '1', 'created_at[gte]': 'x' };
  const expected = { limit: '1', 'created_at[gte]': 'x', metadata: { 'a.b-c': '1', b: '2' } };
  expect(JSON.stringify(gathered(query))).toBe(JSON.stringify(expected));
});

it.each(['metadata[]', 'metadata[a', 'metadata[a b]', 'metadata[__proto__]', `metadata[${'a'.repeat(41)}]`])(
  'leaves %s for the schema to refuse',
  (name) => {
    expect(gathered({ [name]: 'x' })).toEqual({ [name]: 'x' });
  },
);

it('accepts up to ten keys', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
  expect(metadataFilter.safeParse(keys(10)).success).toBe(true);
  expect(metadataFilter.safeParse(keys(11)).success).toBe(false);
});
