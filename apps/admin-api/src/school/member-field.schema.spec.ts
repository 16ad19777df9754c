import { MEMBER_FIELD_LIMITS, TOPOLOGY_LIMITS } from '@lyceum/contracts';
import { memberFields } from './member-field.schema.js';

const { fields, options, allOptions, label, option } = MEMBER_FIELD_LIMITS;

const text = (key: string, more: object = {}): object => ({ key, type: 'text', label: 'Label', ...more });
const choice = (key: string, count: number, length = 0): object => ({
  key,
  type: 'choice',
  label: 'Label',
  options: Array.from({ length: count }, (_, n) => `${n}`.padEnd(length, '選')),
});
const keys = (count: number): string[] => Array.from({ length: count }, (_, n) => `k${n}`);
const accepts = (value: unknown): boolean => memberFields.safeParse(value).success;

it.each([
  ['fields', (n: number) => keys(n).map((key) => text(key)), fields],
  ['options of a choice', (n: number) => [choice('a', n)], options],
  ['characters of a label', (n: number) => [text('a', { label: 'x'.repeat(n) })], label],
  ['characters of an option', (n: number) => [choice('a', 1, n)], option],
  ['characters of a key', (n: number) => [text('k'.repeat(n))], 40],
])('accepts as many %s as the limit, and no more', (_what, given, limit) => {
  expect([accepts(given(limit)), accepts(given(limit + 1))]).toEqual([true, false]);
});

it('limits the options of all choices', () => {
  const most = keys(allOptions / options).map((key) => choice(key, options));
  expect([accepts(most), accepts([...most, choice('more', 1)])]).toEqual([true, false]);
});

it('leaves room in an event for the largest fields', () => {
  const largest = keys(fields).map((key, n) => ({
    ...choice(key, n < allOptions / options ? options : 0, option),
    label: '選'.repeat(label),
  }));
  expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThan((TOPOLOGY_LIMITS.eventBytes * 3) / 4);
});

it.each([
  ['a choice without options', [choice('a', 0)]],
  ['options of a text', [text('a', { options: ['x'] })]],
  ['an option that occurs twice', [{ ...choice('a', 1), options: ['x', 'x'] }]],
  ['a key that occurs twice', [text('a'), text('a')]],
  ['a key with a hyphen', [text('a-b')]],
  ['another type', [text('a', { type: 'email' })]],
  ['another member', [text('a', { required: true })]],
])('refuses %s', (_what, given) => {
  expect(accepts(given)).toBe(false);
});
