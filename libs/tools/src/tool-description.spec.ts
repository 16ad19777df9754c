import { z } from 'zod';
import { describeTool } from './tool-description.js';
import type { ArgumentScopes, ToolDeclaration } from './tool.decorator.js';

const declaration: ToolDeclaration = {
  name: 'list_courses',
  title: 'List courses',
  description: 'Lists the courses of the site. Use it to find the slug of a course.',
  audience: 'operator',
  scopes: ['courses:read'],
  input: z.object({ first: z.int().min(1).max(50).default(20), after: z.string().optional() }),
  output: z.object({ items: z.array(z.object({ slug: z.string() })), next_cursor: z.string().nullable() }),
  annotations: { readOnlyHint: true },
};

const byArgument = (change: Partial<ArgumentScopes>): Partial<ToolDeclaration> => ({
  scopesByArgument: { argument: 'after', scopes: { x: ['courses:write'] }, hint: 'Look.', ...change },
});

test('rejects unknown arguments in the input schema and requires only those without a default', () => {
  const { inputSchema } = describeTool(declaration);
  expect(inputSchema).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      first: { default: 20, type: 'integer', minimum: 1, maximum: 50 },
      after: { type: 'string' },
    },
    additionalProperties: false,
  });
});

test('allows members and values in the output schema that a later release adds, and requires those of this one', () => {
  const item = z.object({
    slug: z.string(),
    state: z.enum(['draft', 'published']).nullable(),
    kind: z.literal('course'),
  });
  const output = z.object({ items: z.array(item), next_cursor: z.string().nullable() });
  expect(describeTool({ ...declaration, output }).outputSchema).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            slug: { type: 'string' },
            state: { anyOf: [{ type: 'string', examples: ['draft', 'published'] }, { type: 'null' }] },
            kind: { type: 'string', const: 'course' },
          },
          required: ['slug', 'state', 'kind'],
        },
      },
      next_cursor: { type: ['string', 'null'] },
    },
    required: ['items', 'next_cursor'],
  });
});

test('describes a format by its name alone, and omits the bounds of every integer', () => {
  const output = z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    email: z.email(),
    slug: z.string().regex(/^[a-z]+$/),
    count: z.int(),
    rate: z.int().min(0).max(100),
  });
  expect(describeTool({ ...declaration, output }).outputSchema?.['properties']).toEqual({
    id: { type: 'string', format: 'uuid' },
    at: { type: 'string', format: 'date-time' },
    email: { type: 'string', format: 'email' },
    slug: { type: 'string', pattern: '^[a-z]+$' },
    count: { type: 'integer' },
    rate: { type: 'integer', minimum: 0, maximum: 100 },
  });
});

test('declares no output schema for a content tool', () => {
  expect('outputSchema' in describeTool({ ...declaration, output: 'content' })).toBe(false);
});

test('marks reading as safe and idempotent, and writing as destructive by default', () => {
  const hints = (annotations: ToolDeclaration['annotations']) =>
    describeTool({ ...declaration, annotations }).annotations;
  expect(hints({ readOnlyHint: true })).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(hints({ readOnlyHint: false })).toMatchObject({ destructiveHint: true, idempotentHint: false });
  expect(hints({ readOnlyHint: false, destructiveHint: false, idempotentHint: true })).toMatchObject({
    destructiveHint: false,
    idempotentHint: true,
  });
});

test.each([
  ['a name that is not snake_case', { name: 'listCourses' }, 'listCourses'],
  ['a name of more than 64 characters', { name: `a${'b'.repeat(64)}` }, 'name'],
  ['no title', { title: ' ' }, 'a title and a description'],
  ['no description', { description: '' }, 'a title and a description'],
  ['no scopes', { scopes: [] }, 'names its scopes'],
  ['a scope of members', { scopes: ['account:read'] as const }, 'account:read is not a scope of an operator'],
  ['an operator scope on a public tool', { audience: 'public' as const }, 'courses:read is no identity scope'],
  ['a public tool of no toolset', { audience: 'public' as const, scopes: ['openid'] as const }, 'its toolset'],
  ['a public tool for any token', { audience: 'public' as const, scopes: 'any' as const }, 'needs no scopes'],
  ['scopes by an argument that it has not', byArgument({ argument: 'id' }), 'it has no argument "id"'],
  ['an argument of which no value is allowed', byArgument({ scopes: {} }), 'no value of "after" is allowed'],
  ['a foreign scope for a value', byArgument({ scopes: { x: ['account:read'] } }), 'account:read is not a scope'],
  ['reading that destroys', { annotations: { readOnlyHint: true, destructiveHint: true } }, 'not destructive'],
  ['an input without JSON Schema', { input: z.object({ at: z.date() }) }, 'its input cannot be written'],
  ['an output without JSON Schema', { output: z.object({ n: z.bigint() }) }, 'its output cannot be written'],
])('rejects %s at the start, and names the tool', (_what, change, words) => {
  const changed = { ...declaration, ...change };
  expect(() => describeTool(changed)).toThrow(words);
  expect(() => describeTool(changed)).toThrow(`The tool "${changed.name}"`);
});

test('accepts a name of 64 characters', () => {
  expect(describeTool({ ...declaration, name: `a${'b'.repeat(63)}` }).name).toHaveLength(64);
});

test('derives the toolset from the first scope, unless it is given', () => {
  expect(describeTool(declaration).toolset).toBe('courses');
  expect(describeTool({ ...declaration, toolset: 'curriculum' }).toolset).toBe('curriculum');
});

test('allows a tool without scopes that adds scopes by an argument', () => {
  class Tools {
    readonly known = { x: ['courses:write'] };
  }
  const more = { argument: 'after', scopes: (tools: Tools) => tools.known, hint: 'Look.' };
  const any = { ...declaration, toolset: 'operations', scopes: 'any', scopesByArgument: more } as const;
  expect(describeTool(any, new Tools())).toMatchObject({
    scopes: [],
    scopesByArgument: { argument: 'after', scopes: { x: ['courses:write'] } },
  });
});
