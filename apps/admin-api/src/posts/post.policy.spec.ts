import { POST_STATES, moveOf, requireEditable, stateAt, stateWith } from './post.policy.js';
import type { PostMove, PostState } from './post.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const dated = (state: PostState, minutes: number | null) => ({
  state,
  published_at: minutes === null ? null : at(minutes),
});
const refusal = (code: string, ...pointers: string[]) =>
  expect.objectContaining({ code, errors: pointers.map((pointer) => expect.objectContaining({ pointer })) });

it.each<[PostState, number | null, PostState]>([
  ['draft', null, 'draft'],
  ['draft', -1, 'draft'],
  ['scheduled', 1, 'scheduled'],
  ['scheduled', 0, 'published'],
  ['published', -1, 'published'],
  ['archived', -1, 'archived'],
])('computes the state of a post that is stored as %s with a date in %p minutes: %s', (state, minutes, expected) => {
  expect(stateAt(dated(state, minutes), NOW)).toBe(expected);
});

it.each<[PostMove, PostState, number | null, object]>([
  ['publish', 'draft', null, { event: 'published', changes: { state: 'published', published_at: NOW } }],
  ['publish', 'draft', -1, { event: 'published', changes: { state: 'published', published_at: at(-1) } }],
  ['publish', 'draft', 0, { event: 'published', changes: { state: 'published', published_at: NOW } }],
  ['publish', 'draft', 1, { event: 'scheduled', changes: { state: 'scheduled', published_at: at(1) } }],
  ['unpublish', 'scheduled', 1, { event: 'unpublished', changes: { state: 'draft' } }],
  ['unpublish', 'published', -1, { event: 'unpublished', changes: { state: 'draft' } }],
  ['archive', 'published', -1, { event: 'archived', changes: { state: 'archived' } }],
  ['archive', 'scheduled', 0, { event: 'archived', changes: { state: 'archived' } }],
])('changes a post by %s from %s with a date in %p minutes', (name, state, minutes, expected) => {
  expect(moveOf(dated(state, minutes), name, NOW)).toEqual(expected);
});

const ALLOWED: Record<PostMove, readonly PostState[]> = {
  publish: ['draft'],
  unpublish: ['scheduled', 'published'],
  archive: ['published'],
};

const REPEATED: Record<PostMove, readonly PostState[]> = {
  publish: ['scheduled', 'published'],
  unpublish: ['draft'],
  archive: ['archived'],
};

it.each(
  (Object.keys(ALLOWED) as PostMove[]).flatMap((name) =>
    POST_STATES.filter((state) => !ALLOWED[name].includes(state)).map((state) => [name, state] as const),
  ),
)('refuses %s of a post that is %s, or changes nothing in its target state', (name, state) => {
  const move = () => moveOf(dated(state, state === 'scheduled' ? 1 : -1), name, NOW);
  if (REPEATED[name].includes(state)) expect(move()).toBeUndefined();
  else expect(move).toThrow(refusal('invalid_state'));
});

it.each<[PostState, number | null, PostState]>([
  ['draft', null, 'draft'],
  ['draft', 1, 'draft'],
  ['scheduled', 1, 'scheduled'],
  ['scheduled', 0, 'published'],
  ['scheduled', -1, 'published'],
  ['published', -1, 'published'],
  ['published', 0, 'published'],
])('keeps a %s post with a date in %p minutes, or publishes it: %s', (state, minutes, expected) => {
  expect(stateWith(dated(state, minutes).published_at, state, NOW)).toBe(expected);
});

it.each<[PostState, number | null]>([
  ['scheduled', null],
  ['published', null],
  ['published', 1],
])('refuses a %s post with a date in %p minutes', (state, minutes) => {
  expect(() => stateWith(dated(state, minutes).published_at, state, NOW)).toThrow(
    refusal('validation_failed', '/published_at'),
  );
});

it('refuses a change of an archived post only, and not of what it names', () => {
  for (const state of POST_STATES.filter((one) => one !== 'archived'))
    requireEditable(dated(state, -1), { title: 'A' });
  for (const patch of [{ title: 'A' }, { title: 'A', course_id: null }])
    expect(() => requireEditable(dated('archived', -1), patch)).toThrow(refusal('invalid_state'));
  requireEditable(dated('archived', -1), { category_id: null, course_id: null, author_id: null });
});
