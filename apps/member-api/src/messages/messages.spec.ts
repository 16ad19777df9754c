import { textOf } from './messages.js';
import { withTexts } from './message-json.js';

const ENGLISH = { person: 'en', site: null };

it.each(['zh-TW', 'zh-Hant', 'zh-HK'])('writes Traditional Chinese for the locale %p', (locale) => {
  expect(textOf('course_enrolled.title', { course: 'Knots' }, { person: locale, site: null })).toBe(
    '你已加入課程「Knots」',
  );
});

it.each([null, 'en', 'en-GB', 'pt-BR', 'zh-CN', 'x', '-', 'constructor'])(
  'falls back to English for the locale %p',
  (locale) => {
    expect(textOf('course_enrolled.title', { course: 'Knots' }, { person: locale, site: null })).toBe(
      'You are enrolled in Knots',
    );
  },
);

it.each([
  [null, 'zh-TW', '你已加入課程「Knots」'],
  ['pt-BR', 'zh-TW', '你已加入課程「Knots」'],
  ['en', 'zh-TW', 'You are enrolled in Knots'],
  ['zh-TW', 'en', '你已加入課程「Knots」'],
  [null, 'pt-BR', 'You are enrolled in Knots'],
])('prefers the language %j of a member to %j of the site', (person, site, text) => {
  expect(textOf('course_enrolled.title', { course: 'Knots' }, { person, site })).toBe(text);
});

it('keeps user input unchanged in messages', () => {
  expect(textOf('offer_sent.title', { title: '<b>{x}</b> & more' }, ENGLISH)).toBe('<b>{x}</b> & more');
});

it.each([
  [1440, 'Regatta starts within 24 hours'],
  [60, 'Regatta starts within the hour'],
  [5, 'Regatta starts soon'],
])('formats the time before an event: %p minutes', (minutes, text) => {
  expect(textOf('event_starting.title', { event: 'Regatta', minutes }, ENGLISH)).toBe(text);
});

it('returns an empty text for an unknown message or a missing parameter', () => {
  expect([textOf('unknown.title', {}, ENGLISH), textOf('course_enrolled.title', {}, ENGLISH)]).toEqual(['', '']);
});

it('replaces messages by texts in a response, and empty nullable ones by null', () => {
  const message = (key: string, parameters: object, nullable = false): string =>
    `\u0001${JSON.stringify([key, parameters, ENGLISH, nullable])}\u0002`;
  const empty = { excerpt: null };
  const given = `{"a":[${message('post_published.body', empty, true)}],"b":${message('post_published.body', empty)},"c":1}`;
  expect(JSON.parse(withTexts(given))).toEqual({ a: [null], b: '', c: 1 });
});

it('escapes texts for JSON, control characters included', () => {
  const course = '"Knots"\n\u0001\u0002\\';
  const given = `[\u0001${JSON.stringify(['course_enrolled.title', { course }, ENGLISH, false])}\u0002,${JSON.stringify(course)}]`;
  expect(JSON.parse(withTexts(given))).toEqual([`You are enrolled in ${course}`, course]);
});
