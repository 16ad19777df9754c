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
  type CallOptions,
} from './attack.js';
import { declaredTools, type DeclaredTool } from './nats.js';

interface Caller {
  readonly audience: 'anonymous' | 'member' | 'operator';
  readonly scopes: readonly string[];
  readonly options: CallOptions;
}

const words = (scope: string): readonly string[] => scope.split(' ');
const callers = new Map<string, Caller>();
let tools: readonly DeclaredTool[];

/** Each caller has a separate person and application, so all can call all tools within a minute. */
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
  callers.set('an anonymous caller', {
    audience: 'anonymous',
    scopes: [],
    options: { source: sourceIn(63) },
  });
  for (const [name, scope, wanted] of OPERATORS) {
    const token = await operatorToken(scope, wanted);
    callers.set(name, { audience: 'operator', scopes: words(scope), options: { token, at: wanted?.at ?? site } });
  }
  for (const [name, scope, wanted] of MEMBERS) {
    const token = await memberToken(scope, wanted);
    callers.set(name, { audience: 'member', scopes: words(scope), options: { token } });
  }
});

/** The status that follows from the declaration of the tool. */
function expectedStatus({ audience, scopes }: DeclaredTool, caller: Caller): number {
  if (audience === 'public' && scopes.length === 0) return 200;
  if (caller.audience === 'anonymous') return 401;
  if (audience !== 'public' && audience !== caller.audience) return 403;
  return scopes.every((scope) => caller.scopes.includes(scope)) ? 200 : 403;
}

const NAMES = ['an anonymous caller', ...OPERATORS.map(([name]) => name), ...MEMBERS.map(([name]) => name)];

it.each(NAMES)('applies the declaration of every tool to %s', async (name) => {
  const caller = callers.get(name)!;
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const tool of tools) {
    // No tool has this argument: an authorized call fails validation, and nothing runs.
    const { status, failure, headers } = await call(tool.name, { no_such_argument: 1 }, caller.options);
    const challenged = /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
    seen[tool.name] = [status, status === 200 ? failure?.code : challenged];
    const should = expectedStatus(tool, caller);
    expected[tool.name] = [should, should === 200 ? 'validation_failed' : tool.scopes.join(' ')];
    // The challenge names no scope: the tool is for another audience.
    if (should !== 200 && tool.scopes.length === 0)
      expected[tool.name] = [should, should === 401 ? 'openid' : undefined];
  }
  expect(seen).toEqual(expected);
});

it('covers tools of every audience, and allowed and refused callers', () => {
  const of = (wanted: string): number => tools.filter(({ audience }) => audience === wanted).length;
  expect([of('public'), of('member'), of('operator')].every((count) => count >= 9)).toBe(true);
  const cells = tools.flatMap((tool) => [...callers.values()].map((caller) => expectedStatus(tool, caller)));
  for (const status of [200, 401, 403]) expect(cells.filter((cell) => cell === status).length).toBeGreaterThan(15);
});

it.each(NAMES)('lists only allowed tools for %s', async (name) => {
  const { audience, scopes, options } = callers.get(name)!;
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].join(',');
  const { result } = await send(
    'older',
    { method: 'tools/list' },
    { ...options, headers: { 'x-mcp-toolsets': toolsets } },
  );
  const listed = (result!['tools'] as { name: string }[]).map((tool) => tool.name);
  // Members see tools that write with a reading token: the call then asks for the scope.
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
])('ignores a header of a member that claims %s', async (_what, headers) => {
  const { options } = callers.get('member with all scopes')!;
  const { status, result } = await call('list_courses', {}, { ...options, headers });
  expect([status, result]).toEqual([403, undefined]);
});
