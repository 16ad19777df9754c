import { overflowingNumber } from './numbers.policy.js';

it.each([
  ['{"first":1e400}', '/first'],
  ['{"a":[1,{"b/c~d":-1e400}]}', '/a/1/b~1c~0d'],
  ['{"first":1e308,"a":[null,"1e400",true]}', undefined],
])('finds the oversized number of %s', (json, pointer) => {
  expect(overflowingNumber(JSON.parse(json))).toBe(pointer);
});
