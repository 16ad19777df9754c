import { repliedTo } from './comment-reply.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const REPLY = {
  comment_id: 'reply',
  site_id: 'site',
  commentable: { type: 'course' as const, id: 'knots' },
  course_id: 'knots',
  student_id: 'grace',
  author_person_id: 'grace',
  author_name: 'Grace',
  parent: { comment_id: 'comment', author_person_id: 'ada' },
  path: '/courses/knots',
  excerpt: 'Indeed.',
  state: 'visible' as const,
  posted_at: '2026-11-20T11:00:00.000Z',
};

it.each([
  ['a reply', {}, 'ada'],
  ['a reply of somebody without an account', { author_person_id: null }, 'ada'],
  ['a reply to oneself', { author_person_id: 'ada' }, null],
  ['a reply to somebody without an account', { parent: { comment_id: 'comment', author_person_id: null } }, null],
  ['a comment without a parent', { parent: null }, null],
  ['a reply that waits for its approval', { state: 'pending' as const }, null],
  ['a reply that was hidden', { state: 'hidden' as const }, null],
  ['an old reply', { posted_at: '2026-11-01T00:00:00.000Z' }, null],
])('returns the recipient for %s: %p', (_what, change, recipient) => {
  expect(repliedTo({ ...REPLY, ...change }, NOW)).toBe(recipient);
});
