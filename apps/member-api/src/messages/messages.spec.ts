import { textOf } from './messages.js';
import { withTexts } from './message-json.js';

it.each([null, 'en', 'en-GB', 'pt-BR', 'x', '-', 'constructor'])(
  'falls back to English for the locale %p',
  (locale) => {
    expect(textOf('course_enrolled.title', { course: 'Knots' }, locale)).toBe('You are enrolled in Knots');
  },
);

it('keeps user input unchanged in messages', () => {
  expect(textOf('offer_sent.title', { title: '<b>{x}</b> & more' }, 'en')).toBe('<b>{x}</b> & more');
});

it.each([
  [1440, 'Regatta starts tomorrow'],
  [60, 'Regatta starts within the hour'],
  [5, 'Regatta starts soon'],
])('formats the time before an event: %p minutes', (minutes, text) => {
  expect(textOf('event_starting.title', { event: 'Regatta', minutes }, 'en')).toBe(text);
});

it('returns an empty text for an unknown message or a missing parameter', () => {
  expect([textOf('unknown.title', {}, 'en'), textOf('course_enrolled.title', {}, 'en')]).toEqual(['', '']);
});

it('replaces messages by texts in a response, and empty nullable ones by null', () => {
  const message = (key: string, nullable: boolean) => ({ $message: [key, { excerpt: null }, null, nullable] });
  const given = { a: [message('post_published.body', true)], b: message('post_published.body', false), c: 1 };
  expect(withTexts(given)).toEqual({ a: [null], b: '', c: 1 });
});
