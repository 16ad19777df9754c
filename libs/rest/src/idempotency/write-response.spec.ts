import { WriteResponse, redact } from './write-response.js';

const course = { id: 'c', name: 'Ropes', seo: { title: 'T', description: 'D' }, tags: ['a'], updated_at: 'now' };
const partFor = (sent: object) => redact(course, WriteResponse.of(course, {}, { sent, changed: false }).sent);

it.each([
  ['nothing', {}, {}],
  ['an undefined member', { name: undefined }, {}],
  ['a member', { name: 'x' }, { name: 'Ropes' }],
  ['a list', { tags: [] }, { tags: ['a'] }],
  ['a member of a member', { seo: { title: 'x' } }, { seo: { title: 'T' } }],
  ['null in place of an object', { seo: null }, { seo: { title: 'T', description: 'D' } }],
  ['a member that the object does not have', { secret: 1, constructor: 1 }, {}],
])('shows the id, the time and what was sent: %s', (_what, sent, shown) => {
  expect(partFor(sent)).toEqual({ id: 'c', updated_at: 'now', ...shown });
});
