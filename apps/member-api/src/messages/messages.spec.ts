import { textOf } from './messages.js';
import { withTexts } from './message-json.js';

it.each([null, 'en', 'en-GB', 'pt-BR', 'x', '-', 'constructor'])(
  'falls back to English for the locale %p',
  (locale) => {
    expect(textOf('course_enrolled.title', { course: 'Knots' }, locale)).toBe('You are enrolled in Knots');
  },
);

it('keeps the words of people as they are', () => {
  expect(textOf('offer_sent.title', { title: '<b>{x}</b> & more' }, 'en')).toBe('<b>{x}</b> & more');
});

it.each([
  [1440, 'Regatta starts tomorrow'],
  [60, 'Regatta starts within the hour'],
  [5, 'Regatta starts soon'],
])('says how soon an event starts: %p minutes', (minutes, text) => {
  expect(textOf('event_starting.title', { event: 'Regatta', minutes }, 'en')).toBe(text);
});

it('says nothing for an unknown message and for a missing parameter', () => {
  expect([textOf('unknown.title', {}, 'en'), textOf('course_enrolled.title', {}, 'en')]).toEqual(['', '']);
});

it('puts texts into a response, and null for an empty one that may be null', () => {
  const message = (key: string, nullable: boolean) => ({ $message: [key, { excerpt: null }, null, nullable] });
  const given = { a: [message('post_published.body', true)], b: message('post_published.body', false), c: 1 };
  expect(withTexts(given)).toEqual({ a: [null], b: '', c: 1 });
});
