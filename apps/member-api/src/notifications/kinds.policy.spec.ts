import { IntlMessageFormat } from 'intl-messageformat';
import { en } from '#src/messages/en.js';
import { TOPICS } from '#src/notification-subscriptions/topics.policy.js';
import { KINDS, NOTIFICATION_DAYS, isRecent } from './kinds.policy.js';

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

/** Names of the parameters of a message, including those within select and plural. */
function parametersOf(text: string): string[] {
  const found = new Set<string>();
  type Part = ReturnType<IntlMessageFormat['getAst']>[number];
  const walk = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if ('options' in part) Object.values(part.options).forEach(({ value }) => walk(value));
      // 0 is literal text, 7 the number sign of a plural.
      if (part.type !== 0 && part.type !== 7) found.add(part.value);
    }
  };
  walk(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  return [...found];
}

describe('the English catalog', () => {
  const catalog: Readonly<Record<string, string>> = en;

  it.each(Object.entries(KINDS))('uses every parameter of %s and no other', (kind, { parameters }) => {
    expect(catalog[`${kind}.title`]).toBeDefined();
    const used = ['title', 'body'].flatMap((part) => parametersOf(catalog[`${kind}.${part}`] ?? ''));
    expect(new Set(used)).toEqual(new Set(parameters));
  });

  it('has messages of known kinds and topics only, and every topic', () => {
    const parts = Object.keys(KINDS).flatMap((kind) => [`${kind}.title`, `${kind}.body`]);
    const topics = Object.keys(TOPICS).map((topic) => `topic.${topic}`);
    const known = new Set([...parts, ...topics, 'mail.reason', 'mail.unsubscribe']);
    expect(Object.keys(en).filter((key) => !known.has(key))).toEqual([]);
    expect(topics.filter((key) => !(key in en))).toEqual([]);
  });
});
