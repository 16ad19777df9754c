import { catalogs } from '@lyceum/messages';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { KINDS, NOTIFICATION_DAYS, isGrantedNow, isPublishedNow, isRecent } from './kinds.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const DAY = 24 * 3_600_000;
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

it.each([
  ['an event of this moment', ago(0), true],
  ['an event of a clock that is ahead', ago(-60_000), true],
  ['an event of three days ago', ago(NOTIFICATION_DAYS * DAY), true],
  ['an event of a moment earlier', ago(NOTIFICATION_DAYS * DAY + 1), false],
  ['an event without a time', null, false],
])('decides whether %s is recent: %s', (_what, at, recent) => {
  expect(isRecent(at, NOW)).toBe(recent);
});

it.each([
  ['new access', undefined, 'active', ago(0), true],
  ['access that was revoked before', 'revoked', 'active', ago(0), true],
  ['access that stays', 'active', 'active', ago(0), false],
  ['revoked access', 'active', 'revoked', ago(0), false],
  ['old access of a member who is linked now', undefined, 'active', ago(30 * DAY), false],
] as const)('decides on the notification of %s', (_what, before, state, since, granted) => {
  expect(isGrantedNow(before && { state: before }, { state, since }, NOW)).toBe(granted);
});

it.each([
  ['a first state that is published', undefined, 'published', true],
  ['a draft that is published', 'draft', 'published', true],
  ['a draft that is archived', 'draft', 'archived', true],
  ['a draft that stays', 'draft', 'draft', false],
  ['a draft that is deleted', 'draft', 'deleted', false],
  ['an edit after the publication', 'published', 'published', false],
  ['a second publication', 'unpublished', 'published', false],
])('decides whether %s is a publication', (_what, before, state, published) => {
  expect(isPublishedNow(before === undefined ? undefined : { state: before }, state)).toBe(published);
});

describe.each(Object.entries(catalogs()))('the catalog %s', (_language, catalog) => {
  it.each(Object.entries(KINDS))('uses every parameter of %s and no other', (kind, { parameters }) => {
    expect(catalog.get(`${kind}.title`)).toBeDefined();
    const used = ['title', 'body'].flatMap((part) => [...(catalog.get(`${kind}.${part}`)?.arguments ?? [])]);
    expect(new Set(used)).toEqual(new Set(parameters));
  });

  it('lists messages of known kinds and topics only, and every topic', () => {
    const parts = Object.keys(KINDS).flatMap((kind) => [`${kind}.title`, `${kind}.body`]);
    const topics = Object.keys(TOPICS).map((topic) => `topic.${topic}`);
    const known = new Set([...parts, ...topics]);
    const listed = [...catalog.keys()].filter((key) => /^topic\.|\.body$/.test(key));
    expect(listed.filter((key) => !known.has(key))).toEqual([]);
    expect(topics.filter((key) => !catalog.has(key))).toEqual([]);
  });
});
