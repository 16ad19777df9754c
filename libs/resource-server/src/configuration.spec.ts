import { z } from 'zod';
import { introspectionEnvironment } from './configuration.js';

const schema = z.object(introspectionEnvironment);
const read = (secret: string): string =>
  schema.parse({
    INTROSPECTION_URL: 'http://auth:3000/api/oauth/introspect',
    INTROSPECTION_CLIENT_ID: 'member-api',
    INTROSPECTION_CLIENT_SECRET: secret,
  }).INTROSPECTION_CLIENT_SECRET;

it.each(['old', 'old,young', 'old, young', ' old ,young'])('sends the first of the secrets %j', (text) => {
  expect(read(text)).toBe('old');
});

it.each(['', ',young', ' '])('rejects %j as introspection secrets', (text) => {
  expect(() => read(text)).toThrow('INTROSPECTION_CLIENT_SECRET');
});

const readBudget = (budget?: string): number =>
  schema.parse({
    INTROSPECTION_URL: 'http://auth:3000/api/oauth/introspect',
    INTROSPECTION_CLIENT_ID: 'member-api',
    INTROSPECTION_CLIENT_SECRET: 'secret',
    INTROSPECTION_BUDGET_MS: budget,
  }).INTROSPECTION_BUDGET_MS;

it('gives an introspection 800 ms, or the time of the setting', () => {
  expect(readBudget()).toBe(800);
  expect(readBudget('10000')).toBe(10_000);
});

it.each(['', '0', '49', '30001', '1.5', '1s'])('rejects %j as the budget of an introspection', (budget) => {
  expect(() => readBudget(budget)).toThrow('INTROSPECTION_BUDGET_MS');
});
