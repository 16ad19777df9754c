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
