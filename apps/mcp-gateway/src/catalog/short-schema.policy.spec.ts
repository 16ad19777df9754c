import type { ListedTool } from './catalog.policy.js';
import { FULL_LIST, listTools } from './listing.policy.js';
import { shortened } from './short-schema.policy.js';

const tool = (): ListedTool => ({
  name: 'list_courses',
  title: 'List courses',
  description: 'Lists courses.',
  audience: 'operator',
  scopes: ['courses:read'],
  service: 'admin-api',
  toolset: 'courses',
  version: '0000000000000000',
  older: [],
  core: true,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      slug: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', description: 'Words and hyphens' },
      pattern: { type: 'string', pattern: '^b' },
      name: { description: 'A name', anyOf: [{ type: 'string', description: 'A name' }, { type: 'null' }] },
    },
    required: ['slug'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } } },
      tags: { type: 'array', items: { type: 'string' } },
      next_cursor: { type: 'string' },
    },
  },
});

it('leaves out what the description of an argument says already', () => {
  expect(shortened(tool()).inputSchema).toEqual({
    type: 'object',
    properties: {
      slug: { type: 'string', maxLength: 9, description: 'Words and hyphens' },
      pattern: { type: 'string', pattern: '^b' },
      name: { description: 'A name', anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['slug'],
  });
});

it('names the fields of a list, and has no output schema for one object', () => {
  expect(shortened(tool()).outputSchema).toEqual({
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { id: {} } } },
      tags: {},
      next_cursor: {},
    },
  });
  const outputSchema = { type: 'object' as const, properties: { id: { type: 'string' } } };
  expect(shortened({ ...tool(), outputSchema })).not.toHaveProperty('outputSchema');
});

it('shortens a tool once', () => {
  const one = tool();
  expect(shortened(one)).toBe(shortened(one));
});

it('shortens the core set alone', () => {
  const operator = { audience: 'operator' as const, scopes: ['courses:read'] };
  const copies = (count: number): ListedTool[] =>
    Array.from({ length: count }, (_none, index) => ({ ...tool(), name: `list_${index}` }));
  const isShort = ({ inputSchema }: ListedTool): boolean => !('$schema' in inputSchema);
  expect(listTools(copies(FULL_LIST), operator).some(isShort)).toBe(false);
  const long = copies(FULL_LIST + 1);
  expect(listTools(long, operator).every(isShort)).toBe(true);
  const toolsets = new Set(['courses']);
  expect(listTools(long, operator, { readOnly: false, toolsets }).some(isShort)).toBe(false);
});
