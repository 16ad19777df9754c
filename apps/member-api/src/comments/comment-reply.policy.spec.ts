import { commentEvents, eventType } from '@lyceum/contracts';
import { repliedTo } from './comment-reply.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const RECENT = '2026-11-20T11:00:00.000Z';
const OLD = '2026-11-01T00:00:00.000Z';
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
  posted_at: RECENT,
};

type Name = (typeof commentEvents)['names'][number];

function event(name: Name, data: Parameters<typeof repliedTo>[0]['data'], occurred_at = RECENT) {
  return { type: eventType(commentEvents, name), occurred_at, data };
}

it.each([
  ['a reply', {}, 'ada'],
  ['a reply of somebody without an account', { author_person_id: null }, 'ada'],
  ['a reply to oneself', { author_person_id: 'ada' }, null],
  ['a reply to somebody without an account', { parent: { comment_id: 'comment', author_person_id: null } }, null],
  ['a comment without a parent', { parent: null }, null],
  ['a reply that waits for its approval', { state: 'pending' as const }, null],
  ['a reply that was hidden', { state: 'hidden' as const }, null],
  ['an old reply', { posted_at: OLD }, null],
])('returns the recipient for %s: %p', (_what, change, recipient) => {
  expect(repliedTo(event('created', { ...REPLY, ...change }), NOW)).toBe(recipient);
});

it.each([
  ['an approval', 'approved', RECENT, 'ada'],
  ['an old approval', 'approved', OLD, null],
  ['the link of its author', 'linked', RECENT, null],
  ['the erasure of its author', 'erased', RECENT, null],
] as const)('returns the recipient of an old reply for %s: %p', (_what, name, occurred_at, recipient) => {
  expect(repliedTo(event(name, { ...REPLY, posted_at: OLD }, occurred_at), NOW)).toBe(recipient);
});
