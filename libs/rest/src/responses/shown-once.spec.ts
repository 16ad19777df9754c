import { inspect } from 'node:util';
import { ShownOnce } from './shown-once.js';

it('shows a secret in the revealed body only', () => {
  const body = { id: 'one', secret: new ShownOnce('whsec_1') };
  expect(ShownOnce.reveal(body)).toEqual({ id: 'one', secret: 'whsec_1' });
  expect(JSON.stringify(body)).toBe('{"id":"one","secret":null}');
  expect(inspect(body, { showHidden: true })).not.toContain('whsec_1');
});

it.each([null, 'text', [1], { id: 'one' }])('leaves a body without secrets: %j', (body) => {
  expect(ShownOnce.reveal(body)).toBe(body);
});
