import { COMMENT_LIMITS, postComment } from './comments.js';

const ID = '0199f6a0-0000-7000-8000-000000000001';
const COMMENT = {
  idempotency_key: 'comment-1',
  site: 'org_0f',
  student: { id: ID },
  commentable: { type: 'lecture', id: ID },
  body: 'Text',
  occurred_at: '2026-11-20T22:00:00.000Z',
};

it('fills in what a comment leaves out', () => {
  expect(postComment.input.parse(COMMENT)).toEqual({ ...COMMENT, parent: null, state: 'visible' });
});

it.each<[string, unknown, boolean]>([
  ['commentable', { type: 'course', external_id: 'knots' }, true],
  ['commentable', { type: 'post', id: ID }, true],
  ['commentable', { type: 'order', id: ID }, false],
  ['commentable', { type: 'course', id: ID, external_id: 'knots' }, false],
  ['parent', { id: ID }, true],
  ['parent', { external_id: 'x' }, false],
  ['body', 'x'.repeat(COMMENT_LIMITS.body), true],
  ['body', 'x'.repeat(COMMENT_LIMITS.body + 1), false],
  ['body', 'a\u0007', false],
  ['state', 'pending', true],
  ['state', 'hidden', false],
])('decides about a comment with %s %j: %p', (member, value, accepted) => {
  expect(postComment.input.safeParse({ ...COMMENT, [member]: value }).success).toBe(accepted);
});
