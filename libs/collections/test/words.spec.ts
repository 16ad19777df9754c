import { assertWords } from '../conventions/problem.js';

it.each([
  'Invalid input',
  'Invalid option: one of',
  '/name: invalid input',
  'Too big: 7',
  'Too small: 7',
  'Expected text',
  ' ',
])('refuses the text %j of an error', (text) => {
  expect(() => assertWords(['Required', text])).toThrow(/has no words|regular expression/);
});

it.each(['Required', 'At most 100 characters', '/name: at most 100 characters', 'limit: between 1 and 100'])(
  'accepts the text %j of an error',
  (text) => {
    expect(() => assertWords([text])).not.toThrow();
  },
);
