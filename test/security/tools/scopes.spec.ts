import {
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  call,
  memberToken,
  operatorTokenOfNewClient,
  otherSite,
  send,
  site,
  sourceIn,
  type CallOptions,
} from './attack.js';
import type { SystemSite } from '../../stack/system-stack.js';
import { declaredTools, type DeclaredTool } from './nats.js';

interface Caller {
  readonly audience: 'anonymous' | 'member' | 'operator';
  readonly scopes: readonly string[];
  /** The ways in which the caller sends: each has a separate quota. */
  readonly ways: readonly CallOptions[];
}

/** Tools that one way calls: a source or application may send 100 messages a minute for a person of a site. */
const TOOLS_PER_WAY = 80;
const words = (scope: string): readonly string[] => scope.split(' ');
const callers = new Map<string, Caller>();
let tools: readonly DeclaredTool[];

const OPERATORS: [name: string, scope: string, role: string][] = [
  ['operator with all scopes', OPERATOR_SCOPES, 'owner'],
  ['operator with courses:read', 'courses:read', 'owner'],
  ['operator with courses:write', 'courses:write', 'admin'],
  ['operator with students:read', 'students:read', 'owner'],
  ['operator with students:write', 'students:write', 'admin'],
  ['operator with another scope', 'analytics:read', 'admin'],
  ['operator with openid', 'openid', 'owner'],
];
const MEMBERS: [name: string, scope: string, role: string][] = [
  ['member with all scopes', MEMBER_SCOPES, 'student'],
  ['member who reads', 'account:read', 'owner'],
  ['member with openid', 'openid', 'admin'],
];

/** The ways of one person; the sites take turns. */
function waysOf(token: (at: SystemSite, index: number) => Promise<string>): Promise<CallOptions[]> {
  const count = Math.ceil(tools.length / TOOLS_PER_WAY);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const at = index % 2 === 0 ? site : otherSite;
      return { at, token: await token(at, index) };
    }),
  );
}

/** Members cannot register applications: the sites have some for them. */
const MEMBER_CLIENTS = ['public', 'confidential', 'web'] as const;
const memberClient = (index: number): (typeof MEMBER_CLIENTS)[number] => MEMBER_CLIENTS[Math.floor(index / 2)]!;

const wayFor = ({ ways }: Caller, index: number): CallOptions => ways[Math.floor(index / TOOLS_PER_WAY)]!;

beforeAll(async () => {
  tools = await declaredTools();
  const blocks = Array.from({ length: Math.ceil(tools.length / TOOLS_PER_WAY) }, (_, index) => ({
    source: sourceIn(63),
    at: index % 2 === 0 ? site : otherSite,
  }));
  callers.set('an anonymous caller', { audience: 'anonymous', scopes: [], ways: blocks });
  for (const [name, scope, role] of OPERATORS) {
    const ways = await waysOf((at) => operatorTokenOfNewClient(scope, role, at));
    callers.set(name, { audience: 'operator', scopes: words(scope), ways });
  }
  for (const [name, scope, role] of MEMBERS) {
    const ways = await waysOf((at, index) => memberToken(scope, { at, role, kind: memberClient(index) }));
    callers.set(name, { audience: 'member', scopes: words(scope), ways });
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
  for (const [index, tool] of tools.entries()) {
    // No tool has this argument: an authorized call fails validation, and nothing runs.
    const { status, failure, headers } = await call(tool.name, { no_such_argument: 1 }, wayFor(caller, index));
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
  const { audience, scopes, ways } = callers.get(name)!;
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].join(',');
  const { result } = await send(
    'older',
    { method: 'tools/list' },
    { ...ways[0], headers: { 'x-mcp-toolsets': toolsets } },
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
  const { ways } = callers.get('member with all scopes')!;
  const { status, result } = await call('list_courses', {}, { ...ways[0], headers });
  expect([status, result]).toEqual([403, undefined]);
});
