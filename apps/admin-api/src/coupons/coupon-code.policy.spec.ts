import { CODE, newCodes } from './coupon-code.policy.js';

it.each([
  ['abc', true],
  ['Summer_2026-10', true],
  ['9'.repeat(40), true],
  ['9'.repeat(41), false],
  ['ab', false],
  ['-abc', false],
  ['_abc', false],
  ['a b c', false],
  ['été2026', false],
  ['abc\n', false],
])('decides about the code %j: %p', (code, accepted) => {
  expect(CODE.test(code)).toBe(accepted);
});

it('generates different codes of ten characters that do not look alike, behind the prefix', () => {
  const codes = newCodes('FAIR-', 200);
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^FAIR-[A-HJKMNP-Z2-9]{10}$/);
});

it('uses each character of its alphabet at each place about equally often', () => {
  const codes = newCodes('', 3_100);
  for (let place = 0; place < 10; place += 1) {
    const counts = Map.groupBy(codes, (code) => code[place]);
    expect(counts.size).toBe(31);
    for (const { length } of counts.values()) expect(length).toBeGreaterThan(40);
  }
});
