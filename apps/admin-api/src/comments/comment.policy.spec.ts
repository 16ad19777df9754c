import { COMMENT_LIMITS } from '@lyceum/contracts';
import { excerptOf, moveOf, requireParent } from './comment.policy.js';

it.each([
  ['pending', 'approve', 'visible', 'approved'],
  ['hidden', 'approve', 'visible', 'approved'],
  ['pending', 'hide', 'hidden', 'hidden'],
  ['visible', 'hide', 'hidden', 'hidden'],
] as const)('moves a comment that is %s by %s to %s, as %s', (state, action, to, event) => {
  expect(moveOf(state, action)).toMatchObject({ to, event });
});

it.each([
  ['visible', 'approve'],
  ['hidden', 'hide'],
] as const)('leaves a comment that is %s as it is by %s', (state, action) => {
  expect(moveOf(state, action)).toBeUndefined();
});

describe('the parent of a reply', () => {
  const PARENT = { commentable_id: 'knots', parent_id: null, state: 'visible' as const, replies_count: 0 };

  it('accepts a visible comment on the same object with room for a reply', () => {
    const parent = { ...PARENT, replies_count: COMMENT_LIMITS.replies - 1 };
    expect(() => requireParent(parent, { commentable_id: 'knots' })).not.toThrow();
  });

  it.each([
    ['an unknown comment', undefined, 'not_found', 'not_found'],
    ['a comment on another object', { commentable_id: 'tides' }, 'not_found', 'not_found'],
    ['a reply', { parent_id: 'first' }, 'validation_failed', 'invalid_value'],
    ['a pending comment', { state: 'pending' as const }, 'invalid_state', 'invalid_state'],
    ['a hidden comment', { state: 'hidden' as const }, 'invalid_state', 'invalid_state'],
    ['a comment with all replies', { replies_count: COMMENT_LIMITS.replies }, 'invalid_state', 'too_large'],
  ])('refuses %s', (_which, given, code, of) => {
    const parent = given && { ...PARENT, ...given };
    const errors = [expect.objectContaining({ pointer: '/parent', code: of })];
    expect(() => requireParent(parent, { commentable_id: 'knots' })).toThrow(expect.objectContaining({ code, errors }));
  });
});

describe('the excerpt of a comment', () => {
  it('shows the text in one line', () => {
    expect(excerptOf('One\n\n two\tthree ')).toBe('One two three');
  });

  it('keeps 200 characters, and marks a cut', () => {
    expect(excerptOf('x'.repeat(200))).toBe('x'.repeat(200));
    expect(excerptOf('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  });

  it('cuts no character in two', () => {
    expect(excerptOf(`${'x'.repeat(198)}😀y`)).toBe(`${'x'.repeat(198)}…`);
  });
});
