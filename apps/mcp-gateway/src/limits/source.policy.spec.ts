import { sourceOf } from './source.policy.js';

describe('a source', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (ip, source) => {
    expect(sourceOf(ip)).toBe(source);
  });

  it('is another one in another /64', () => {
    expect(sourceOf('2001:db8:1:3::6')).not.toBe(sourceOf('2001:db8:1:2::6'));
  });
});
