import { BoundedCache } from './bounded-cache.js';

it('makes a value once, and keeps the newest ones within its limit', () => {
  const cache = new BoundedCache<{ readonly key: string }>(100);
  const made: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return { key };
    });
  for (let key = 0; key < 1_000; key += 1) get(String(key));
  expect(cache.size).toBe(100);
  expect([get('999'), get('900'), get('899')].map(({ key }) => key)).toEqual(['999', '900', '899']);
  expect(made).toEqual([...Array.from({ length: 1_000 }, (_, key) => String(key)), '899']);
  expect(cache.size).toBe(100);
});
