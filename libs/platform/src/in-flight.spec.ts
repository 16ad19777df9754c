import { InFlight } from './in-flight.js';

it('holds values by key until they are removed', () => {
  const flights = new InFlight<{ n: number }>();
  const one = { n: 1 };
  const two = { n: 2 };
  flights.add('one', one);
  flights.add('two', two);
  expect(flights.get('one')).toBe(one);
  expect(flights.values()).toEqual([one, two]);
  expect(flights.remove('one')).toBe(one);
  expect(flights.remove('one')).toBeUndefined();
  expect(flights.get('one')).toBeUndefined();
  expect(flights.values()).toEqual([two]);
});

it('can be emptied while it is walked', () => {
  const flights = new InFlight<string>();
  for (const key of ['a', 'b', 'c']) flights.add(key, key);
  const seen = flights.values().map((value) => flights.remove(value));
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(flights.values()).toEqual([]);
});
