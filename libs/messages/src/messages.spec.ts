import { SCOPES, SCOPE_RESOURCES } from '@lyceum/contracts';
import { html, runForReader } from '@lyceum/platform';
import { catalogs } from './catalogs.js';
import { dayOf, distance, instant, listOf } from './formats.js';
import { phrase, readerLanguage, say, textIn } from './messages.js';

const inChinese = <T>(work: () => T): T => runForReader({ person: 'zh-TW' }, work);

it('speaks the language of the reader, and English without one', () => {
  expect([readerLanguage(), say('sign_in.title')]).toEqual(['en', 'Sign in']);
  expect(inChinese(() => [readerLanguage(), say('sign_in.title')])).toEqual(['zh-TW', '登入']);
});

it('keeps the language of each reader apart while both wait', async () => {
  const read = (person: string) =>
    runForReader({ person }, async () => {
      await new Promise(setImmediate);
      return say('form.save');
    });
  expect(await Promise.all([read('zh-TW'), read('en'), read('zh-HK')])).toEqual(['儲存', 'Save', '儲存']);
});

it('escapes text and keeps markup in the place of an argument', () => {
  const client = html`<bdi>${'<b>'}</bdi>`;
  expect(phrase('sign_in.to_continue', { client }).text).toBe('to continue to <bdi>&lt;b&gt;</bdi>');
  expect(phrase('sign_in.to_continue', { client: '<b>' }).text).toBe('to continue to &lt;b&gt;');
  expect(inChinese(() => phrase('consent.question', { client, site: 'A & B' }).text)).toBe(
    '要允許 <bdi>&lt;b&gt;</bdi> 存取「A &amp; B」嗎？',
  );
});

it('keeps user input unchanged in texts', () => {
  expect(textIn('en', 'offer_sent.title', { title: '<b>{x}</b> & more' })).toBe('<b>{x}</b> & more');
});

it.each(['form.too_many_attempts', 'sign_in.slowed_down', 'member.too_many'] as const)(
  'counts one second and several in %s',
  (key) => {
    expect(say(key, { seconds: 1 })).toMatch(/\b1 second\b/);
    expect(say(key, { seconds: 2 })).toMatch(/\b2 seconds\b/);
  },
);

it('returns an empty text for an unknown message or a missing argument', () => {
  expect(textIn('zh-TW', 'unknown.title', {})).toBe('');
  expect(textIn('zh-TW', 'constructor', {})).toBe('');
  expect(textIn('zh-TW', 'course_enrolled.title', {})).toBe('');
});

it('writes lists, distances and instants for the reader', () => {
  const at = new Date('2026-11-23T20:30:40.123Z');
  expect([listOf(['a', 'b', 'c']), distance(-2, 'hour'), instant(at)]).toEqual([
    'a, b, and c',
    '2 hours ago',
    '2026-11-23 20:30:40 UTC',
  ]);
  const chinese = runForReader({ person: 'zh-TW', timezone: 'Asia/Taipei' }, () => [
    listOf(['甲', '乙', '丙']),
    distance(-2, 'hour'),
    instant(at),
    dayOf(at),
  ]);
  expect(chinese).toEqual(['甲、乙和丙', '2 小時前', '2026-11-24 04:30:40 (Asia/Taipei)', '2026-11-24']);
  expect(runForReader({ timezone: 'Nowhere/At-All' }, () => instant(at))).toBe('2026-11-23 20:30:40 UTC');
});

it('makes one clock for all spellings of a time zone', () => {
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  const days = ['Asia/Anadyr', 'asia/anadyr', 'ASIA/ANADYR'].map((timezone) =>
    runForReader({ timezone }, () => instant(new Date('2026-11-23T20:30:40Z'))),
  );
  expect(days).toEqual(Array(3).fill('2026-11-24 08:30:40 (Asia/Anadyr)'));
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});

describe('the catalog', () => {
  const { en, 'zh-TW': zhTW } = catalogs();

  it('contains every message in every language', () => {
    expect(en.size).toBeGreaterThan(300);
    expect([...zhTW.keys()].toSorted()).toEqual([...en.keys()].toSorted());
    const scopes = Object.keys(SCOPES).map((scope) => `scope.${scope}`);
    const resources = Object.keys(SCOPE_RESOURCES).map((resource) => `resource.${resource}`);
    expect([...scopes, ...resources].filter((key) => !zhTW.has(key))).toEqual([]);
  });

  it('uses the same arguments in every language', () => {
    const differing = [...en].filter(([key, message]) => {
      const translated = zhTW.get(key)?.arguments ?? new Set();
      return [...message.arguments].toSorted().join() !== [...translated].toSorted().join();
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it('writes Chinese with full-width punctuation', () => {
    const isName = (text: string): boolean => /^「?\{\w+\}」?$/.test(text);
    const foreign = [...zhTW].filter(([, { text }]) => !/\p{Script=Han}/u.test(text) && !isName(text));
    const halfWidth = [...zhTW].filter(([, { text }]) => /\p{Script=Han}[,.:;?!]|[,.:;?!]\p{Script=Han}/u.test(text));
    expect([...foreign, ...halfWidth].map(([key]) => key)).toEqual([]);
  });

  it('addresses the reader as 你 in Chinese', () => {
    const formal = [...zhTW].filter(([, { text }]) => text.includes('您'));
    expect(formal.map(([key]) => key)).toEqual([]);
  });

  it('contains no simplified characters', () => {
    const simplified = [...zhTW].filter(([, { text }]) => /[为这个们录码发邮应权请连户设页]/u.test(text));
    expect(simplified.map(([key]) => key)).toEqual([]);
  });
});
