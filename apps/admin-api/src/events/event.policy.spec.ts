import {
  EVENT_STATES,
  moveOf,
  requireChangeable,
  requireDraft,
  requireTimes,
  stateAt,
  stateThen,
} from './event.policy.js';
import type { EventMove, EventState } from './event.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const timed = (state: EventState, from: number, to: number) => ({ state, starts_at: at(from), ends_at: at(to) });
const refusal = (code: string, ...pointers: string[]) =>
  expect.objectContaining({ code, errors: pointers.map((pointer) => expect.objectContaining({ pointer })) });

it.each<[EventState, number, number, EventState]>([
  ['draft', -10, -5, 'draft'],
  ['canceled', -10, 10, 'canceled'],
  ['ended', -10, 10, 'ended'],
  ['published', 1, 2, 'published'],
  ['published', 0, 1, 'live'],
  ['published', -1, 0, 'ended'],
  ['live', -1, 1, 'live'],
  ['live', -2, -1, 'ended'],
])('computes the state of an event that is stored as %s, from %p to %p minutes: %s', (state, from, to, expected) => {
  expect(stateAt(timed(state, from, to), NOW)).toBe(expected);
});

it.each<[EventState, number, number, EventState]>([
  ['draft', -1, 1, 'draft'],
  ['canceled', -1, 1, 'canceled'],
  ['published', 1, 2, 'published'],
  ['live', -2, -1, 'ended'],
  ['ended', 1, 2, 'published'],
  ['ended', -1, 1, 'live'],
  ['ended', -1, 0, 'ended'],
])('computes the earlier state of an event that is now %s, from %p to %p minutes: %s', (state, from, to, expected) => {
  expect(stateThen(timed(state, from, to), NOW)).toBe(expected);
});

const TO: Record<EventMove, Partial<Record<EventState, EventState>>> = {
  publish: { draft: 'published', published: 'published', live: 'live' },
  cancel: { published: 'canceled', canceled: 'canceled' },
};

it.each((['publish', 'cancel'] as const).flatMap((name) => EVENT_STATES.map((state) => [name, state] as const)))(
  'moves by %s an event that is %s, leaves it or refuses',
  (name, state) => {
    const event = timed(state, state === 'live' ? -10 : 10, 20);
    const to = TO[name][state];
    if (to === undefined) {
      expect(() => moveOf(event, name, NOW)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
    } else expect(moveOf(event, name, NOW)?.to).toBe(to === state ? undefined : to);
  },
);

it('neither cancels an event that has begun nor publishes one that is over', () => {
  expect(() => moveOf(timed('published', 0, 1), 'cancel', NOW)).toThrow(
    expect.objectContaining({ code: 'invalid_state' }),
  );
  expect(() => moveOf(timed('draft', -1, 0), 'publish', NOW)).toThrow(refusal('invalid_state', '/ends_at'));
  expect(moveOf(timed('draft', -1, 1), 'publish', NOW)?.to).toBe('published');
});

it('ends an event after its start', () => {
  expect(() => requireTimes({ starts_at: NOW, ends_at: at(1) })).not.toThrow();
  expect(() => requireTimes({ starts_at: NOW, ends_at: NOW })).toThrow(refusal('validation_failed', '/ends_at'));
});

const change = (state: EventState, changed: string[], more: object = {}) => {
  const next = { ...timed('published', -10, 10), capacity: null, registrations_count: 2, ...more };
  return () => requireChangeable(next, state, changed, NOW);
};

it.each<[EventState, string[], string[]]>([
  ['draft', ['starts_at', 'capacity', 'hosting_type'], []],
  ['published', ['starts_at', 'ends_at', 'location'], []],
  ['live', ['ends_at', 'join_url', 'capacity'], []],
  ['live', ['starts_at', 'name'], ['/starts_at']],
  ['ended', ['name', 'description_html', 'metadata'], []],
  ['ended', ['ends_at', 'capacity', 'name'], ['/ends_at', '/capacity']],
  ['canceled', ['waitlist', 'timezone', 'slug'], ['/waitlist', '/timezone']],
])('accepts the change of an event that is %s in %j, but not in %j', (state, changed, frozen) => {
  if (frozen.length === 0) expect(change(state, changed)).not.toThrow();
  else expect(change(state, changed)).toThrow(refusal('invalid_state', ...frozen));
});

it('ends a published event in the future', () => {
  const over = { starts_at: at(-20), ends_at: at(-10) };
  expect(change('published', ['ends_at'], over)).toThrow(refusal('validation_failed', '/ends_at'));
  expect(change('draft', ['ends_at'], over)).not.toThrow();
  expect(change('ended', ['name'], over)).not.toThrow();
  expect(change('draft', ['starts_at'], { starts_at: at(10) })).toThrow(refusal('validation_failed', '/ends_at'));
});

it.each([
  [null, true],
  [2, true],
  [1, false],
])('accepts the capacity %p of an event with two taken places: %p', (capacity, accepted) => {
  if (accepted) expect(change('published', ['capacity'], { capacity })).not.toThrow();
  else expect(change('published', ['capacity'], { capacity })).toThrow(refusal('invalid_state', '/capacity'));
});

it('deletes drafts only', () => {
  expect(() => requireDraft('draft')).not.toThrow();
  for (const state of EVENT_STATES.filter((one) => one !== 'draft')) {
    expect(() => requireDraft(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  }
});
