import type { ListedTool } from './catalogue.policy.js';
import { listTools, pageOf } from './listing.policy.js';

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
  toolset: 'courses',
  core: false,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const TOOLS = [
  tool('enroll_student', 'operator', ['students:write'], false),
  tool('list_courses', 'operator', ['courses:read']),
  tool('list_my_courses', 'member', ['account:read']),
  tool('mark_notification_read', 'member', ['account:read', 'account:write'], false),
  tool('search_catalog', 'public'),
  tool('whoami', 'public', ['openid']),
];

const names = (tools: readonly ListedTool[]): string[] => tools.map(({ name }) => name);

describe('what a caller is shown', () => {
  it('is the public tools for an anonymous one, those that ask for a sign-in too', () => {
    expect(names(listTools(TOOLS, null))).toEqual(['search_catalog', 'whoami']);
  });

  it('is all member tools for a member, whatever the scopes', () => {
    expect(names(listTools(TOOLS, { audience: 'member', scopes: [] }))).toEqual([
      'list_my_courses',
      'mark_notification_read',
      'search_catalog',
      'whoami',
    ]);
  });

  it('is what the scopes allow for an operator', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['courses:read'] }))).toEqual([
      'list_courses',
      'search_catalog',
      'whoami',
    ]);
  });

  it('has no member tool for an operator, even with the scope of one', () => {
    expect(names(listTools(TOOLS, { audience: 'operator', scopes: ['account:read'] }))).not.toContain(
      'list_my_courses',
    );
  });

  it('has no writing tool when the caller wants none', () => {
    const list = listTools(TOOLS, { audience: 'operator', scopes: ['students:write'] }, { readOnly: true });
    expect(names(list)).toEqual(['search_catalog', 'whoami']);
  });
});

describe('a page of the list', () => {
  it('is the whole list without a cursor when it fits', () => {
    expect(pageOf(TOOLS, undefined, 6)).toEqual({ tools: TOOLS });
  });

  it('goes on where the last one ended, until the end', () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = pageOf(TOOLS, cursor, 2);
      expect(page?.tools.length).toBeLessThanOrEqual(2);
      seen.push(...names(page?.tools ?? []));
      cursor = page?.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(names(TOOLS));
  });

  it('goes on in order when the tool that the cursor names is gone', () => {
    const cursor = pageOf(TOOLS, undefined, 2)?.nextCursor;
    const page = pageOf(
      TOOLS.filter(({ name }) => name !== 'list_courses'),
      cursor,
      1,
    );
    expect(names(page?.tools ?? [])).toEqual(['list_my_courses']);
  });

  it('is none for a cursor that is not ours', () => {
    expect(pageOf(TOOLS, 'not a cursor!')).toBeUndefined();
    expect(pageOf(TOOLS, '')).toBeUndefined();
    expect(pageOf(TOOLS, 'a'.repeat(129))).toBeUndefined();
  });
});
