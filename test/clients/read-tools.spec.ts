import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { memberToken, operatorToken, site } from '../security/tools/attack.js';
import { declaredTools } from '../security/tools/nats.js';

interface Item {
  readonly [member: string]: unknown;
}
interface Result {
  readonly isError?: boolean;
  readonly content?: unknown;
  readonly structuredContent?: unknown;
}
interface Speaker {
  readonly tools: readonly {
    name: string;
    annotations?: { readOnlyHint?: boolean };
    inputSchema: { required?: string[] };
  }[];
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
}

/** The clients validate results by the output schema of the list. */
const CLIENTS: Record<string, (token: string, toolsets: string) => Promise<Speaker>> = {
  'SDK 2.x': async (token, toolsets) => {
    const headers = { authorization: `Bearer ${token}`, 'x-mcp-toolsets': toolsets };
    const client = new Client({ name: 'reader', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${site.base_url}/mcp`), { requestInit: { headers } }),
    );
    const { tools } = await client.listTools();
    return { tools, call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
  },
  'SDK 1.x': async (token, toolsets) => {
    const headers = { authorization: `Bearer ${token}`, 'x-mcp-toolsets': toolsets };
    const client = new OlderClient({ name: 'reader', version: '1' });
    await client.connect(new OlderTransport(new URL(`${site.base_url}/mcp`), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    return {
      tools,
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
      close: () => client.close(),
    };
  },
};

/** Arguments of tools that need them, taken from the result of a list tool. */
const ABOUT: Record<
  string,
  readonly [
    list: string,
    args: (item: Item) => Record<string, unknown> | undefined,
    listed?: Readonly<Record<string, unknown>>,
  ]
> = {
  browse_course: ['browse_catalog', ({ type, slug }) => (type === 'course' ? { slug } : undefined)],
  browse_item: ['browse_catalog', ({ type, slug }) => ({ type, slug })],
  describe_operation: ['search_operations', ({ operation_id }) => ({ operation_id })],
  get_course: ['list_courses', ({ id }) => ({ id })],
  get_curriculum: ['list_courses', ({ id }) => ({ course_id: id })],
  get_lecture: ['list_lectures', ({ id }) => ({ id })],
  list_course_plans: ['list_courses', ({ id }) => ({ course_id: id })],
  list_student_progress: ['list_students', ({ id }) => ({ student_id: id })],
  get_digital_product: ['list_digital_products', ({ id }) => ({ id })],
  get_event: ['list_events', ({ id }) => ({ id })],
  get_lecturer: ['list_lecturers', ({ id }) => ({ id })],
  get_membership_plan: ['list_membership_plans', ({ id }) => ({ id })],
  get_student: ['list_students', ({ id }) => ({ id })],
  my_course: ['my_courses', ({ course_id }) => ({ course_id })],
  read_operation: [
    'search_operations',
    ({ operation_id }) => (operation_id === 'listCourses' ? { operation_id } : undefined),
    { q: 'list courses' },
  ],
};

/** Visitors find pages by links, not by a list. */
const PAGE = { slug: 'about' };

/** Calls of one tool are spaced, because messages are limited. */
const ASKED = 2;

const itemsOf = ({ structuredContent }: Result): readonly Item[] =>
  (structuredContent as { items: readonly Item[] }).items;

/** Calls all listed read tools. Returns the names of those with a result. */
async function readEverything({ tools, call }: Speaker): Promise<string[]> {
  const returned: string[] = [];
  const lists = new Map<string, Promise<Result>>();
  const callOnce = (name: string, args: Record<string, unknown>): Promise<Result> => {
    if (Object.keys(args).length > 0) return call(name, args);
    const response = lists.get(name) ?? call(name, {});
    lists.set(name, response);
    return response;
  };
  for (const { name, annotations, inputSchema } of tools) {
    if (annotations?.readOnlyHint !== true) continue;
    const argumentSets: Record<string, unknown>[] = [];
    if (name === 'browse_page') argumentSets.push(PAGE);
    else if ((inputSchema.required ?? []).length === 0) argumentSets.push({});
    else {
      const [list, argsOf, listed = {}] = ABOUT[name] ?? [];
      if (list === undefined || argsOf === undefined)
        throw new Error(`${name} needs arguments that this suite does not know`);
      const found = itemsOf(await callOnce(list, listed)).map(argsOf);
      argumentSets.push(...found.filter((args) => args !== undefined).slice(0, ASKED));
    }
    for (const args of argumentSets) {
      const { isError = false, structuredContent, content } = await callOnce(name, args);
      expect([name, args, isError, content]).toEqual([name, args, false, expect.anything()]);
      expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(structuredContent);
    }
    if (argumentSets.length > 0) returned.push(name);
  }
  return returned;
}

const CALLERS = [
  ['SDK 2.x', 'operator', () => operatorToken(undefined, { role: 'admin', kind: 'confidential' })],
  ['SDK 1.x', 'operator', () => operatorToken(undefined, { role: 'admin' })],
  ['SDK 2.x', 'member', () => memberToken(undefined, { kind: 'confidential' })],
  ['SDK 1.x', 'member', () => memberToken(undefined, { kind: 'confidential' })],
] as const;

it.each(CALLERS)('validates the result of every read tool: %s as %s', async (client, audience, token) => {
  const declared = await declaredTools();
  const toolsets = [...new Set(declared.map(({ toolset }) => toolset))].join(',');
  const speaker = await CLIENTS[client]!(await token(), toolsets);
  const own = declared.filter((tool) => tool.audience === audience && tool.annotations.readOnlyHint);
  expect(own.length).toBeGreaterThanOrEqual(8);
  expect(await readEverything(speaker)).toEqual(expect.arrayContaining(own.map(({ name }) => name)));
  await speaker.close();
});
