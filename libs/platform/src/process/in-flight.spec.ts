import { InFlight } from './in-flight.js';

it('keeps values by key until they are removed', () => {
  const inFlight = new InFlight<{ n: number }>();
  const one = { n: 1 };
  const two = { n: 2 };
  inFlight.add('one', one);
  inFlight.add('two', two);
  expect(inFlight.get('one')).toBe(one);
  expect(inFlight.values()).toEqual([one, two]);
  expect(inFlight.remove('one')).toBe(one);
  expect(inFlight.remove('one')).toBeUndefined();
  expect(inFlight.get('one')).toBeUndefined();
  expect(inFlight.values()).toEqual([two]);
});

it('allows removals during an iteration', () => {
  const inFlight = new InFlight<string>();
  for (const key of ['a', 'b', 'c']) inFlight.add(key, key);
  const seen = inFlight.values().map((value) => inFlight.remove(value));
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(inFlight.values()).toEqual([]);
});
