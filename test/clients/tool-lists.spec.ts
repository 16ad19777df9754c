import {
  OPERATOR_SCOPES,
  call,
  memberToken,
  operatorToken,
  send,
  site,
  type Asking,
} from '../security/tools/attack.js';
import { declaredTools } from '../security/tools/nats.js';

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}
interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

let names: ReadonlySet<string>;
let toolsets: readonly string[];
const lists = new Map<string, readonly Tool[]>();

async function list(asking: Asking): Promise<readonly Tool[]> {
  const { result } = await send('older', { method: 'tools/list' }, asking);
  return result?.['tools'] as Tool[];
}

beforeAll(async () => {
  const declared = await declaredTools();
  names = new Set(['whoami', ...declared.map(({ name }) => name)]);
  toolsets = [...new Set(declared.flatMap((tool) => (tool.audience === 'member' ? [] : [tool.toolset])))];
  const owner = { token: await operatorToken(OPERATOR_SCOPES, {}) };
  const member = { token: await memberToken('account:read account:write', {}) };
  lists.set('anonymous', await list({}));
  lists.set('a member', await list(member));
  lists.set('a member who only reads', await list({ ...member, headers: { 'x-mcp-readonly': 'true' } }));
  lists.set('an operator', await list(owner));
  for (const toolset of toolsets) {
    lists.set(`an operator with ${toolset}`, await list({ ...owner, headers: { 'x-mcp-toolsets': toolset } }));
  }
  const scopes = [...new Set(declared.flatMap((tool) => (tool.audience === 'operator' ? tool.scopes : [])))];
  for (const scope of scopes) {
    lists.set(`an operator of ${scope}`, await list({ token: await operatorToken(scope, { role: 'admin' }) }));
  }
});

/** All descriptions in a schema, with the names of the properties that they are of. */
function descriptions(schema: Schema, path = ''): [path: string, text: string][] {
  const own: [string, string][] = typeof schema.description === 'string' ? [[path, schema.description]] : [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? descriptions(value as Schema, `${path}/${key}`) : [],
  );
  return [...own, ...inner];
}

const textsOf = (tool: Tool): [string, string][] => [
  ['', tool.description],
  ...descriptions(tool.inputSchema, '/input'),
  ...descriptions(tool.outputSchema ?? {}, '/output'),
];

it('compares every kind of caller', () => {
  expect(lists.size).toBeGreaterThan(20);
  expect(names.size).toBeGreaterThan(40);
  for (const [caller, tools] of lists) expect([caller, tools.length]).not.toEqual([caller, 0]);
});

it('names no tool in a description that is missing from the list', () => {
  const foreign: string[] = [];
  for (const [caller, tools] of lists) {
    const listed = new Set(tools.map(({ name }) => name));
    for (const tool of tools) {
      for (const [path, text] of textsOf(tool)) {
        const named = (text.match(/[a-z0-9_]+/g) ?? []).filter((word) => names.has(word) && !listed.has(word));
        for (const name of named) foreign.push(`${caller}: ${tool.name}${path} names ${name}`);
      }
    }
  }
  expect(foreign).toEqual([]);
});

it('says of every tool what it is for, and ends each description as a sentence', () => {
  for (const [caller, tools] of lists) {
    for (const { name, description } of tools) {
      expect([caller, name, description]).toEqual([caller, name, expect.stringMatching(/^[A-Z].{20,}\.$/s)]);
    }
  }
});

it('describes every argument of every tool', () => {
  const bare: string[] = [];
  const walk = (name: string, schema: Schema): void => {
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      if (!property.description) bare.push(`${name}.${member}`);
      walk(`${name}.${member}`, property);
    }
  };
  for (const tool of new Map([...lists.values()].flat().map((one) => [one.name, one])).values()) {
    walk(tool.name, tool.inputSchema);
  }
  expect(bare.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([]);
});

it('lists publish_course together with unpublish_course', () => {
  for (const tools of lists.values()) {
    const listed = tools.map(({ name }) => name).filter((name) => /^(un)?publish_course$/.test(name));
    expect([[], ['publish_course', 'unpublish_course']]).toContainEqual(listed);
  }
});

it('tells an operator’s application that a tool for members needs one for members', async () => {
  const token = await operatorToken('courses:read', { kind: 'web' });
  const answer = await call('my_courses', {}, { token, at: site });
  expect(answer.status).toBe(403);
  const challenge = answer.headers['www-authenticate'];
  for (const text of [String(answer.body['detail']), String(challenge)]) {
    expect(text).toContain('my_courses is for members');
    expect(text).toContain('an application for members');
    expect(text).not.toContain('This needs an access token with the scope');
  }
});
