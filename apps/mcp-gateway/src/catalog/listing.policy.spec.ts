import type { ListedTool } from './catalog.policy.js';
import { FULL_LIST, listEntries, listTools, pageOf, readListFilters } from './listing.policy.js';

const tool = (
  name: string,
  audience: ListedTool['audience'],
  scopes: string[] = [],
  readOnlyHint = true,
): ListedTool => ({
  name,
  title: name,
  description: name,
  audience,
  scopes,
  service: 'service',
  toolset: name.includes('course') ? 'courses' : 'students',
  version: '0000000000000000',
  older: [],
  core: false,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const TOOLS = [
  tool('browse_catalog', 'public'),
  tool('enroll_student', 'operator', ['students:write'], false),
  tool('list_courses', 'operator', ['courses:read']),
  tool('mark_notification_read', 'member', ['account:read', 'account:write'], false),
  tool('my_courses', 'member', ['account:read']),
  tool('whoami', 'public', ['openid']),
];

const keyOf = ({ name }: ListedTool): string => name;
const names = (tools: readonly ListedTool[]): string[] => tools.map(({ name }) => name);

describe('listTools', () => {
  it('lists public tools for an anonymous caller, including those that need a sign-in', () => {
    expect(names(listTools(TOOLS, null))).toEqual(['browse_catalog', 'whoami']);
  });

  it('lists all member tools for a member, regardless of scopes', () => {
    expect(names(listTools(TOOLS, { audience: 'member', scopes: [] }))).toEqual([
      'browse_catalog',
      'mark_notification_read',
      'my_courses',
      'whoami',
    ]);
  });

  it('lists tools by scope for an operator', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['courses:read'] }))).toEqual([
      'browse_catalog',
      'list_courses',
      'whoami',
    ]);
  });

  it('lists no member tool for an operator, even with its scope', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['account:read'] }))).not.toContain('my_courses');
  });

  it('lists no writing tool with the read-only filter', () => {
    const list = listTools(TOOLS, { audience: 'operator', scopes: ['students:write'] }, { readOnly: true });
    expect(names(list)).toEqual(['browse_catalog', 'whoami']);
  });
});

describe('list filters', () => {
  it.each([
    [{}, { readOnly: false }],
    [{ readOnly: 'true' }, { readOnly: true }],
    [{ readOnly: ' True ' }, { readOnly: true }],
    [{ readOnly: '1' }, { readOnly: false }],
    [{ readOnly: ['true'] }, { readOnly: false }],
    [{ toolsets: 'courses' }, { readOnly: false, toolsets: new Set(['courses']) }],
    [{ toolsets: ' Courses, students ,' }, { readOnly: false, toolsets: new Set(['courses', 'students']) }],
    [{ toolsets: ' , ' }, { readOnly: false }],
  ])('parses the list filters %j as %j', (headers, filters) => {
    expect(readListFilters(headers)).toEqual(filters);
  });

  const operator = { audience: 'operator' as const, scopes: ['courses:read', 'students:write'] };
  const list = (toolsets: string) => names(listTools(TOOLS, operator, readListFilters({ toolsets })));

  it('lists the named toolsets only', () => {
    expect(list('courses')).toEqual(['list_courses']);
    expect(list('courses,students')).toEqual(['browse_catalog', 'enroll_student', 'list_courses', 'whoami']);
  });

  it('lists nothing for an unknown toolset', () => {
    expect(list('nonsense')).toEqual([]);
    expect(list('nonsense,courses')).toEqual(['list_courses']);
  });

  it('applies list filters to resources and prompts too', () => {
    expect(names(listEntries(TOOLS, operator, readListFilters({ toolsets: 'courses' })))).toEqual(['list_courses']);
  });
});

describe('a long list', () => {
  const many = (count: number): ListedTool[] =>
    Array.from({ length: count }, (_none, i) => ({ ...tool(`tool_${i}`, 'public'), core: i % 10 === 0 }));

  it('lists all tools up to the limit, and the core set above it', () => {
    expect(listTools(many(FULL_LIST), null)).toHaveLength(FULL_LIST);
    expect(names(listTools(many(FULL_LIST + 1), null))).toEqual(['tool_0', 'tool_10', 'tool_20']);
  });

  it('counts only tools that the caller may see', () => {
    const list = [...many(FULL_LIST), tool('list_courses', 'operator', ['courses:read'])];
    expect(listTools(list, null)).toHaveLength(FULL_LIST);
  });

  it('lists all tools of a named toolset', () => {
    expect(listTools(many(FULL_LIST + 1), null, readListFilters({ toolsets: 'students' }))).toHaveLength(FULL_LIST + 1);
  });
});

describe('pageOf', () => {
  it('returns the whole list without a cursor when it fits', () => {
    expect(pageOf(TOOLS, keyOf, undefined, 6)).toEqual({ entries: TOOLS });
  });

  it('continues after the last entry until the end', () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = pageOf(TOOLS, keyOf, cursor, 2);
      expect(page?.entries.length).toBeLessThanOrEqual(2);
      seen.push(...names(page?.entries ?? []));
      cursor = page?.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(names(TOOLS));
  });

  it('continues in order when the tool of the cursor was removed', () => {
    const cursor = pageOf(TOOLS, keyOf, undefined, 3)?.nextCursor;
    const page = pageOf(
      TOOLS.filter(({ name }) => name !== 'list_courses'),
      keyOf,
      cursor,
      1,
    );
    expect(names(page?.entries ?? [])).toEqual(['mark_notification_read']);
  });

  it('returns undefined for a foreign cursor', () => {
    expect(pageOf(TOOLS, keyOf, 'not a cursor!')).toBeUndefined();
    expect(pageOf(TOOLS, keyOf, '')).toBeUndefined();
    expect(pageOf(TOOLS, keyOf, 'a'.repeat(513))).toBeUndefined();
  });
});
