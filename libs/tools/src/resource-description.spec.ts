import { z } from 'zod';
import { describePrompt } from './prompt-description.js';
import type { PromptDeclaration } from './prompt.decorator.js';
import { describeResource } from './resource-description.js';
import type { ResourceDeclaration } from './resource.decorator.js';

const course: ResourceDeclaration = {
  name: 'course',
  uri: 'school://courses/{slug}',
  title: 'Course',
  description: 'One course.',
  audience: 'public',
  scopes: [],
  toolset: 'courses',
  input: z.object({ slug: z.string() }),
  output: z.object({ slug: z.string() }),
};
const plan: PromptDeclaration = {
  name: 'plan',
  title: 'Plan',
  description: 'Makes a plan.',
  audience: 'member',
  scopes: ['account:read'],
  input: z.object({
    hours: z.string().describe('How many'),
    from: z.string().default('now').describe('When it begins'),
  }),
};

test('describes a resource with its completions, and a version that changes with them', () => {
  const described = describeResource(course, ['slug']);
  expect(described).toMatchObject({ uri: course.uri, mimeType: 'application/json', completes: ['slug'] });
  expect(describeResource({ ...course }, ['slug']).version).toBe(described.version);
  expect(describeResource(course, []).version).not.toBe(described.version);
  expect(describeResource({ ...course, title: 'Another' }, ['slug']).version).not.toBe(described.version);
});

test.each(['text', 'blob'] as const)('accepts a resource that is a %s of any media type', (output) => {
  const described = describeResource({ ...course, output, mimeType: 'text/markdown' }, []);
  expect(described).toMatchObject({ form: output, mimeType: 'text/markdown' });
});

test('lists the arguments of a prompt, and the required ones', () => {
  expect(describePrompt(plan, ['hours'])).toMatchObject({
    toolset: 'account',
    arguments: [
      { name: 'hours', description: 'How many', required: true },
      { name: 'from', description: 'When it begins', required: false },
    ],
    completes: ['hours'],
  });
});

test.each([
  ['a variable that is not in its input', { input: z.object({}) }, 'not the variables of its URI'],
  ['an input that is no variable', { uri: 'school://courses' }, 'not the variables of its URI'],
  ['a URI that is none', { uri: 'courses/{slug}' }, 'uri'],
  ['no title', { title: '' }, 'a title and a description'],
  ['a text without a media type', { output: 'text' as const }, 'has a media type'],
  ['JSON of another media type', { mimeType: 'text/html' }, 'has a media type'],
  ['a scope that is not for everybody', { scopes: ['courses:read'] as const }, 'courses:read is no identity scope'],
])('rejects a resource with %s at the start', (_what, change, words) => {
  expect(() => describeResource({ ...course, ...change }, [])).toThrow(words);
});

test.each([
  ['an argument without a description', { input: z.object({ hours: z.string() }) }, '"hours" needs a description'],
  ['no scopes', { scopes: [] }, 'names its scopes'],
])('rejects a prompt with %s at the start', (_what, change, words) => {
  expect(() => describePrompt({ ...plan, ...change }, [])).toThrow(words);
});

test('rejects a completion of an unknown argument', () => {
  expect(() => describeResource(course, ['id'])).toThrow('it has no "id" to complete');
  expect(() => describePrompt(plan, ['slug'])).toThrow('it has no "slug" to complete');
});
