import { describedFor, withoutClauses } from './description.policy.js';

const MISSING = new Set(['publish_course', 'list_courses', 'whoami']);

it.each([
  ['Creates a draft. Use it to begin.', 'Creates a draft. Use it to begin.'],
  ['Creates a draft. Use it to begin; publish_course shows it.', 'Creates a draft. Use it to begin.'],
  ['Creates a draft. Use publish_course later. Mind the slug.', 'Creates a draft. Mind the slug.'],
  ['whoami says who it is; this says where.', 'This says where.'],
  ['next_cursor of the page before', 'next_cursor of the page before'],
  ['Id of the course; list_courses has it', 'Id of the course'],
  ['Id of the course; list_all_courses has it', 'Id of the course; list_all_courses has it'],
])('omits %j, which names missing tools', (text, rest) => {
  expect(withoutClauses(text, MISSING)).toBe(rest);
});

it('rewrites the schemas of a tool, and returns the same object when nothing changes', () => {
  const id = { type: 'string', description: 'Id; list_courses has it' };
  const input = { type: 'object' as const, properties: { id, list_courses: { type: 'boolean' } } };
  const tool = { name: 'x', description: 'Does it.', inputSchema: input };
  expect(describedFor(tool, MISSING)).toEqual({
    ...tool,
    inputSchema: { ...input, properties: { ...input.properties, id: { ...id, description: 'Id' } } },
  });
  expect(describedFor(tool, new Set(['other']))).toBe(tool);
});
