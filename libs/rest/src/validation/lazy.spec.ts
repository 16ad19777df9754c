import { copyOf, withLazy } from './lazy.js';

function counted() {
  const calls: string[] = [];
  const one = withLazy(
    { plain: 1 },
    { made: () => ({ n: calls.push('made') }), none: (): unknown => void calls.push('none') },
  );
  return { calls, one };
}

it('makes a member at its first use, and once', () => {
  const { calls, one } = counted();
  expect(calls).toEqual([]);
  expect(one.made).toBe(one.made);
  expect([one.none, one.none, one.plain]).toEqual([undefined, undefined, 1]);
  expect(calls).toEqual(['made', 'none']);
});

it('shares the members with a copy, which makes none', () => {
  const { calls, one } = counted();
  const copy = withLazy(copyOf(one), { none: () => 'other' });
  expect(calls).toEqual([]);
  expect(copy.made).toBe(one.made);
  expect(copy.none).toBe('other');
  expect(one.none).toBeUndefined();
});

it('copies with other members, and makes none', () => {
  const { calls, one } = counted();
  const copy = copyOf(one, { plain: 'other', none: 2 });
  expect(calls).toEqual([]);
  expect({ ...copy }).toEqual({ plain: 'other', made: { n: 1 }, none: 2 });
  expect(calls).toEqual(['made']);
  expect(one.plain).toBe(1);
});

it('shows all members in a spread', () => {
  const { one } = counted();
  expect({ ...one }).toEqual({ plain: 1, made: { n: 1 }, none: undefined });
});
