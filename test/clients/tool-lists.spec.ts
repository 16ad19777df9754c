import { API_ERROR_CODES } from '@lyceum/errors';
import {
  OPERATOR_SCOPES,
  call,
  memberToken,
  newClient,
  operatorToken,
  operatorTokenOfNewClient,
  send,
  site,
  type CallOptions,
} from '../security/tools/attack.js';
import { declaredTools } from '../security/tools/nats.js';

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}
interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** A text beside the tools: instructions of the server, a resource, a prompt or its messages. */
interface Prose {
  readonly of: string;
  readonly text: string;
}

let names: ReadonlySet<string>;
let toolsets: readonly string[];
const lists = new Map<string, readonly Tool[]>();
const prose = new Map<string, readonly Prose[]>();

async function list(options: CallOptions): Promise<readonly Tool[]> {
  const { result, ...refusal } = await send('older', { method: 'tools/list' }, options);
  if (result === undefined) throw new Error(JSON.stringify(refusal));
  return result['tools'] as Tool[];
}

async function readProse(options: CallOptions): Promise<Prose[]> {
  const requestAs = async <T>(member: string, method: string, params: object = {}): Promise<T> =>
    (await send('older', { method, params: { ...params } }, options)).result?.[member] as T;
  const clientInfo = { name: 'reader', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const found: Prose[] = [{ of: 'instructions', text: await requestAs('instructions', 'initialize', hello) }];
  const entries = [
    ...(await requestAs<Tool[]>('resources', 'resources/list')),
    ...(await requestAs<Tool[]>('resourceTemplates', 'resources/templates/list')),
  ];
  const prompts = await requestAs<Tool[]>('prompts', 'prompts/list');
  for (const { name, title, description } of [...entries, ...prompts]) {
    found.push({ of: name, text: `${title}. ${description}` });
  }
  for (const { name } of prompts) {
    const messages = await requestAs<{ content: { text?: string } }[]>('messages', 'prompts/get', {
      name,
      arguments: {},
    });
    for (const { content } of messages) if (content.text !== undefined) found.push({ of: name, text: content.text });
  }
  return found;
}

beforeAll(async () => {
  const declared = await declaredTools();
  names = new Set(['whoami', ...declared.map(({ name }) => name)]);
  toolsets = [...new Set(declared.flatMap((tool) => (tool.audience === 'member' ? [] : [tool.toolset])))];
  const owner = { token: await operatorTokenOfNewClient(OPERATOR_SCOPES, 'owner') };
  const member = { token: await memberToken('account:read account:write', {}) };
  for (const [caller, options] of Object.entries({ anonymous: {}, 'a member': member, 'an operator': owner })) {
    prose.set(caller, await readProse(options));
  }
  lists.set('anonymous', await list({}));
  lists.set('a member', await list(member));
  lists.set('a member who only reads', await list({ ...member, headers: { 'x-mcp-readonly': 'true' } }));
  lists.set('an operator', await list(owner));
  for (const toolset of toolsets) {
    lists.set(`an operator with ${toolset}`, await list({ ...owner, headers: { 'x-mcp-toolsets': toolset } }));
  }
  const { tokenOf } = await newClient('admin');
  const scopes = [...new Set(declared.flatMap((tool) => (tool.audience === 'operator' ? tool.scopes : [])))];
  for (const scope of scopes) {
    lists.set(`an operator of ${scope}`, await list({ token: await tokenOf(scope) }));
  }
});

/** Characters of the core set, which a model reads before its first call. */
const CORE_SET = 35_000;

it(`lists the core set for an operator in at most ${CORE_SET} characters`, () => {
  const core = lists.get('an operator') ?? [];
  expect(core.length).toBeGreaterThan(20);
  expect(JSON.stringify(core).length).toBeLessThanOrEqual(CORE_SET);
});

it('lists each argument of the core set as the list of its toolset does, with its text and type', () => {
  const whole = new Map([...lists.values()].flat().map((tool) => [tool.name, tool]));
  for (const { name, inputSchema } of lists.get('an operator') ?? []) {
    const { required, properties = {} } = whole.get(name)?.inputSchema ?? {};
    expect([name, inputSchema['required'], Object.keys(inputSchema.properties ?? {})]).toEqual([
      name,
      required,
      Object.keys(properties),
    ]);
    for (const [argument, { description, type }] of Object.entries(inputSchema.properties ?? {})) {
      expect([name, argument, description, type]).toEqual([
        name,
        argument,
        properties[argument]?.description,
        properties[argument]?.['type'],
      ]);
    }
  }
});

/** All descriptions in a schema, with the names of their properties. */
function descriptions(schema: Schema, path = ''): [path: string, text: string][] {
  const own: [string, string][] = typeof schema.description === 'string' ? [[path, schema.description]] : [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? descriptions(value as Schema, `${path}/${key}`) : [],
  );
  return [...own, ...inner];
}

const textsOf = (tool: Tool): [string, string][] => [
  ['/title', tool.title],
  ['', tool.description],
  ...descriptions(tool.inputSchema, '/input'),
  ...descriptions(tool.outputSchema ?? {}, '/output'),
];

it('covers every kind of caller', () => {
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

/** Names of members and values with underscores that are no tools. */
function vocabulary(schema: Schema): string[] {
  const { enum: values, examples, const: constant } = schema;
  const words = [values, examples, constant].flat().filter((value) => typeof value === 'string');
  const inner = Object.values(schema).filter((value) => typeof value === 'object' && value !== null);
  return [...words, ...Object.keys(schema.properties ?? {}), ...inner.flatMap((value) => vocabulary(value as Schema))];
}

/** Claims, a scope, a state and placeholders of URL templates, which texts explain. */
const OTHER_WORDS = ['sub', 'org_id', 'profile', 'checked_in', 'course_id', 'course_slug', 'path', 'query', 'body'];

/** Words in backticks, and words that look like the name of a tool. */
const namedIn = (text: string): string[] => [
  ...(text.match(/[a-z0-9]+(?:_[a-z0-9]+)+/g) ?? []),
  ...[...text.matchAll(/`([a-z][a-z0-9_]*)`/g)].map(([, word = '']) => word),
];

it('names no tool in any text that does not exist', () => {
  const unknown: string[] = [];
  for (const [caller, tools] of lists) {
    const all = tools.flatMap(({ inputSchema, outputSchema = {} }) => [inputSchema, outputSchema]);
    const known = new Set([
      ...API_ERROR_CODES,
      ...OTHER_WORDS,
      ...all.flatMap(vocabulary),
      ...tools.map(({ name }) => name),
    ]);
    const texts = [
      ...tools.flatMap((tool) => textsOf(tool).map(([path, text]) => ({ of: `${tool.name}${path}`, text }))),
      ...(prose.get(caller) ?? []),
    ];
    for (const { of, text } of texts) {
      for (const word of namedIn(text)) if (!known.has(word)) unknown.push(`${caller}: ${of} names ${word}`);
    }
  }
  expect([...prose.values()].map(({ length }) => length)).toEqual([3, 5, 5]);
  expect(unknown).toEqual([]);
});

it('describes every tool in whole sentences', () => {
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

it('refuses a member tool to an operator application with a hint', async () => {
  const token = await operatorToken('courses:read', { kind: 'web' });
  const response = await call('my_courses', {}, { token, at: site });
  expect(response.status).toBe(403);
  const challenge = response.headers['www-authenticate'];
  for (const text of [String(response.body['detail']), String(challenge)]) {
    expect(text).toContain('my_courses is for members');
    expect(text).toContain('an application for members');
    expect(text).not.toContain('This needs an access token with the scope');
  }
});
