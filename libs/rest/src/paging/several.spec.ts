import { z } from 'zod';
import { isAmong, severalOf } from './several.js';

const state = severalOf(z.enum(['draft', 'published', 'archived']));

it.each([
  ['draft', 'draft'],
  ['draft,draft', 'draft'],
  ['published,draft', ['draft', 'published']],
  ['draft,published,draft', ['draft', 'published']],
])('parses %s', (text, value) => {
  expect(state.parse(text)).toEqual(value);
});

it.each(['', ',', 'draft,', 'draft,none', ' draft', 'Draft'])('refuses %j', (text) => {
  expect(state.safeParse(text).success).toBe(false);
});

it('compares a value with one, with several and with an absent filter', () => {
  expect([isAmong('a', 'a'), isAmong('a', ['b', 'a']), isAmong('a', undefined)]).toEqual([true, true, true]);
  expect([isAmong('a', 'b'), isAmong('a', ['b', 'c'])]).toEqual([false, false]);
});
