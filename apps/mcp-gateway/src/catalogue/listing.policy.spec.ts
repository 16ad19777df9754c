import type { ListedTool } from './catalogue.policy.js';
import { FULL_LIST, listOffers, listTools, pageOf, readWishes } from './listing.policy.js';

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

describe('what a caller is shown', () => {
  it('is the public tools for an anonymous one, those that ask for a sign-in too', () => {
    expect(names(listTools(TOOLS, null))).toEqual(['browse_catalog', 'whoami']);
  });

  it('is all member tools for a member, whatever the scopes', () => {
    expect(names(listTools(TOOLS, { audience: 'member', scopes: [] }))).toEqual([
      'browse_catalog',
      'mark_notification_read',
      'my_courses',
      'whoami',
    ]);
  });

  it('is what the scopes allow for an operator', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['courses:read'] }))).toEqual([
      'browse_catalog',
      'list_courses',
      'whoami',
    ]);
  });

  it('has no member tool for an operator, even with the scope of one', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['account:read'] }))).not.toContain('my_courses');
  });

  it('has no writing tool when the caller wants none', () => {
    const list = listTools(TOOLS, { audience: 'operator', scopes: ['students:write'] }, { readOnly: true });
    expect(names(list)).toEqual(['browse_catalog', 'whoami']);
  });
});

describe('what a caller wishes', () => {
  it.each([
    [{}, { readOnly: false }],
    [{ readOnly: 'true' }, { readOnly: true }],
    [{ readOnly: ' True ' }, { readOnly: true }],
    [{ readOnly: '1' }, { readOnly: false }],
    [{ readOnly: ['true'] }, { readOnly: false }],
    [{ toolsets: 'courses' }, { readOnly: false, toolsets: new Set(['courses']) }],
    [{ toolsets: ' Courses, students ,' }, { readOnly: false, toolsets: new Set(['courses', 'students']) }],
    [{ toolsets: ' , ' }, { readOnly: false }],
  ])('%j is read as %j', (headers, wishes) => {
    expect(readWishes(headers)).toEqual(wishes);
  });

  const operator = { audience: 'operator' as const, scopes: ['courses:read', 'students:write'] };
  const wish = (toolsets: string) => names(listTools(TOOLS, operator, readWishes({ toolsets })));

  it('narrows the list to the toolsets that it names', () => {
    expect(wish('courses')).toEqual(['list_courses']);
    expect(wish('courses,students')).toEqual(['browse_catalog', 'enroll_student', 'list_courses', 'whoami']);
  });

  it('has nothing of a toolset that does not exist', () => {
    expect(wish('nonsense')).toEqual([]);
    expect(wish('nonsense,courses')).toEqual(['list_courses']);
  });

  it('narrows resources and prompts too', () => {
    expect(names(listOffers(TOOLS, operator, readWishes({ toolsets: 'courses' })))).toEqual(['list_courses']);
  });
});

describe('a long list', () => {
  const many = (count: number): ListedTool[] =>
    Array.from({ length: count }, (_none, i) => ({ ...tool(`tool_${i}`, 'public'), core: i % 10 === 0 }));

  it('is whole up to its limit, and one tool more makes it the core set', () => {
    expect(listTools(many(FULL_LIST), null)).toHaveLength(FULL_LIST);
    expect(names(listTools(many(FULL_LIST + 1), null))).toEqual(['tool_0', 'tool_10', 'tool_20']);
  });

  it('counts what the caller would be shown', () => {
    const list = [...many(FULL_LIST), tool('list_courses', 'operator', ['courses:read'])];
    expect(listTools(list, null)).toHaveLength(FULL_LIST);
  });

  it('is whole for who has chosen toolsets', () => {
    expect(listTools(many(FULL_LIST + 1), null, readWishes({ toolsets: 'students' }))).toHaveLength(FULL_LIST + 1);
  });
});

describe('a page of the list', () => {
  it('is the whole list without a cursor when it fits', () => {
    expect(pageOf(TOOLS, keyOf, undefined, 6)).toEqual({ entries: TOOLS });
  });

  it('goes on where the last one ended, until the end', () => {
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

  it('goes on in order when the tool that the cursor names is gone', () => {
    const cursor = pageOf(TOOLS, keyOf, undefined, 3)?.nextCursor;
    const page = pageOf(
      TOOLS.filter(({ name }) => name !== 'list_courses'),
      keyOf,
      cursor,
      1,
    );
    expect(names(page?.entries ?? [])).toEqual(['mark_notification_read']);
  });

  it('is none for a cursor that is not ours', () => {
    expect(pageOf(TOOLS, keyOf, 'not a cursor!')).toBeUndefined();
    expect(pageOf(TOOLS, keyOf, '')).toBeUndefined();
    expect(pageOf(TOOLS, keyOf, 'a'.repeat(513))).toBeUndefined();
  });
});
