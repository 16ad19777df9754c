import {
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  call,
  memberToken,
  operatorToken,
  otherSite,
  send,
  site,
  sourceIn,
  type Asking,
} from './attack.js';
import { declaredTools, type DeclaredTool } from './nats.js';

interface Caller {
  readonly audience: 'anonymous' | 'member' | 'operator';
  readonly scopes: readonly string[];
  readonly asking: Asking;
}

const words = (scope: string): readonly string[] => scope.split(' ');
const callers = new Map<string, Caller>();
let tools: readonly DeclaredTool[];

/** Each with a person and an application of its own, so that all may ask for all tools within a minute. */
const OPERATORS: [name: string, scope: string, wanted: Parameters<typeof operatorToken>[1]][] = [
  ['operator with all scopes', OPERATOR_SCOPES, {}],
  ['operator with courses:read', 'courses:read', { kind: 'web' }],
  ['operator with courses:write', 'courses:write', { kind: 'web', role: 'admin' }],
  ['operator with students:read', 'students:read', { kind: 'confidential' }],
  ['operator with students:write', 'students:write', { kind: 'confidential', role: 'admin' }],
  ['operator with another scope', 'analytics:read', { role: 'admin' }],
  ['operator with openid', 'openid', { kind: 'confidential', at: otherSite }],
];
const MEMBERS: [name: string, scope: string, wanted: Parameters<typeof memberToken>[1]][] = [
  ['member with all scopes', MEMBER_SCOPES, {}],
  ['member who reads', 'account:read', { role: 'owner' }],
  ['member with openid', 'openid', { role: 'admin' }],
];

beforeAll(async () => {
  tools = await declaredTools();
  callers.set('somebody without a token', {
    audience: 'anonymous',
    scopes: [],
    asking: { source: sourceIn(63) },
  });
  for (const [name, scope, wanted] of OPERATORS) {
    const token = await operatorToken(scope, wanted);
    callers.set(name, { audience: 'operator', scopes: words(scope), asking: { token, at: wanted?.at ?? site } });
  }
  for (const [name, scope, wanted] of MEMBERS) {
    const token = await memberToken(scope, wanted);
    callers.set(name, { audience: 'member', scopes: words(scope), asking: { token } });
  }
});

/** What the declaration of the tool alone says of the caller. */
function expectedStatus({ audience, scopes }: DeclaredTool, caller: Caller): number {
  if (audience === 'public' && scopes.length === 0) return 200;
  if (caller.audience === 'anonymous') return 401;
  if (audience !== 'public' && audience !== caller.audience) return 403;
  return scopes.every((scope) => caller.scopes.includes(scope)) ? 200 : 403;
}

const NAMES = ['somebody without a token', ...OPERATORS.map(([name]) => name), ...MEMBERS.map(([name]) => name)];

it.each(NAMES)('every tool answers %s as its declaration says', async (name) => {
  const caller = callers.get(name)!;
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const tool of tools) {
    // An argument that no tool knows: whoever is let through is told so, and nothing runs.
    const { status, failure, headers } = await call(tool.name, { no_such_argument: 1 }, caller.asking);
    const told = /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
    seen[tool.name] = [status, status === 200 ? failure?.code : told];
    const should = expectedStatus(tool, caller);
    expected[tool.name] = [should, should === 200 ? 'validation_failed' : tool.scopes.join(' ')];
    // No scope to ask for: the tool is for the other audience, whatever the token holds.
    if (should !== 200 && tool.scopes.length === 0)
      expected[tool.name] = [should, should === 401 ? 'openid' : undefined];
  }
  expect(seen).toEqual(expected);
});

it('the walk has met tools of everybody, and callers who may and who may not', () => {
  const of = (wanted: string): number => tools.filter(({ audience }) => audience === wanted).length;
  expect([of('public'), of('member'), of('operator')].every((count) => count >= 9)).toBe(true);
  const cells = tools.flatMap((tool) => [...callers.values()].map((caller) => expectedStatus(tool, caller)));
  for (const status of [200, 401, 403]) expect(cells.filter((cell) => cell === status).length).toBeGreaterThan(15);
});

it.each(NAMES)('a list shows %s nothing that is for others', async (name) => {
  const { audience, scopes, asking } = callers.get(name)!;
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].join(',');
  const { result } = await send(
    'older',
    { method: 'tools/list' },
    { ...asking, headers: { 'x-mcp-toolsets': toolsets } },
  );
  const listed = (result!['tools'] as { name: string }[]).map((tool) => tool.name);
  // Members see their writing tools with a token that reads: they are asked for the scope when they call them.
  const may = (tool: DeclaredTool): boolean =>
    tool.audience === 'public' ||
    (tool.audience === audience && (audience === 'member' || tool.scopes.every((scope) => scopes.includes(scope))));
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.filter((one) => !tools.some((tool) => tool.name === one && may(tool)))).toEqual([]);
});

it.each<[string, Record<string, string>]>([
  ['that it only reads', { 'x-mcp-readonly': 'false' }],
  ['toolsets of others', { 'x-mcp-toolsets': 'courses,operations,catalog' }],
  ['an audience', { 'x-audience': 'operator', 'x-lyceum-audience': 'operator' }],
  ['scopes', { 'x-scopes': 'courses:read', scope: 'courses:read', 'x-oauth-scopes': 'courses:read' }],
  [
    'a principal',
    { principal: '{"audience":"operator"}', 'x-principal': '{"audience":"operator","scopes":["courses:read"]}' },
  ],
  ['another method', { 'x-http-method-override': 'GET' }],
])('a header that claims %s opens nothing to a member', async (_what, headers) => {
  const { asking } = callers.get('member with all scopes')!;
  const { status, result } = await call('list_courses', {}, { ...asking, headers });
  expect([status, result]).toEqual([403, undefined]);
});
