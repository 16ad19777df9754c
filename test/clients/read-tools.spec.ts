import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { memberToken, OPERATOR_SCOPES, operatorTokenOfNewClient, site } from '../security/tools/attack.js';
import { declaredTools } from '../security/tools/nats.js';
import { announcedStudents, putContent } from './student-file.js';
import { tokenFor } from './tokens.js';

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
    // This version leaves the pages of the list to its caller.
    let page = await client.listTools();
    const tools = [...page.tools];
    while (page.nextCursor !== undefined) {
      page = await client.listTools({ cursor: page.nextCursor });
      tools.push(...page.tools);
    }
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
  get_comment: ['list_comments', ({ id }) => ({ id })],
  get_consulting_service: ['list_consulting_services', ({ id }) => ({ id })],
  get_coupon: ['list_coupons', ({ id }) => ({ id })],
  get_course: ['list_courses', ({ id }) => ({ id })],
  get_curriculum: ['list_courses', ({ id }) => ({ course_id: id })],
  get_lecture: ['list_lectures', ({ id }) => ({ id })],
  list_course_reviews: ['list_courses', ({ id }) => ({ course_id: id })],
  list_bookings: ['list_activity', ({ object_id }) => ({ slot_id: object_id }), { action: 'consulting_slot.created' }],
  list_comment_replies: ['list_comments', ({ id }) => ({ comment_id: id })],
  list_form_submissions: ['list_forms', ({ id }) => ({ form_id: id })],
  list_consulting_purchases: ['list_consulting_services', ({ id }) => ({ consulting_service_id: id })],
  list_consulting_slots: ['list_consulting_services', ({ id }) => ({ consulting_service_id: id })],
  list_coupon_redemptions: ['list_coupons', ({ id }) => ({ coupon_id: id })],
  list_course_plans: ['list_courses', ({ id }) => ({ course_id: id })],
  list_digital_product_purchases: ['list_digital_products', ({ id }) => ({ digital_product_id: id })],
  list_event_registrations: ['list_events', ({ id }) => ({ event_id: id })],
  list_event_tickets: ['list_events', ({ id }) => ({ event_id: id })],
  list_page_deployments: ['list_pages', ({ id }) => ({ page_id: id })],
  list_member_purchases: ['list_members', ({ id }) => ({ member_id: id })],
  list_student_progress: ['list_students', ({ id }) => ({ student_id: id })],
  get_announcement: ['list_announcements', ({ id }) => ({ id })],
  get_digital_product: ['list_digital_products', ({ id }) => ({ id })],
  get_event: ['list_events', ({ id }) => ({ id })],
  get_form: ['list_forms', ({ id }) => ({ id })],
  get_lecturer: ['list_lecturers', ({ id }) => ({ id })],
  get_member: ['list_members', ({ id }) => ({ id })],
  get_membership_plan: ['list_membership_plans', ({ id }) => ({ id })],
  get_order: ['list_orders', ({ id }) => ({ id })],
  get_post: ['list_posts', ({ id }) => ({ id })],
  get_student: ['list_students', ({ id }) => ({ id })],
  get_subscription: ['list_subscriptions', ({ id }) => ({ id })],
  my_course: ['my_courses', ({ course_id }) => ({ course_id })],
  my_digital_product: ['my_digital_products', ({ grant_id }) => ({ grant_id })],
  read_operation: [
    'search_operations',
    ({ operation_id }) => (operation_id === 'listCourses' ? { operation_id } : undefined),
    { q: 'list courses' },
  ],
};

/** Visitors find pages by links, not by a list. */
const PAGE = { slug: 'about' };

/** No tool lists exports and imports: each person starts one. */
async function anExport(): Promise<Item> {
  const { id } = await created('exports', 'students:read', { collection: 'students', format: 'csv' });
  return { id };
}

async function anImport(): Promise<Item> {
  const content = 'email\nimported-by-tools@example.com\n';
  const upload = await created('uploads', 'storage:write', announcedStudents(content));
  await putContent(upload, content);
  await created(`uploads/${String(upload['id'])}/complete`, 'storage:write', {});
  const body = { collection: 'students', format: 'csv', upload_id: upload['id'] };
  const { id } = await created('imports', 'students:write', body);
  return { id };
}

/** A test delivery, to a receiver that does not exist. */
async function aDelivery(): Promise<Item> {
  const endpoint = { url: 'https://receiver.example.com/tools', event_types: ['page.deleted'] };
  const { id: endpoint_id } = await created('webhook_endpoints', 'school:write pages:read', endpoint);
  const { id } = await created('webhook_deliveries', 'school:write', { endpoint_id });
  return { id };
}

/** Sends a POST of an operator, and returns the object. */
async function created(path: string, scope: string, body: object): Promise<Item> {
  const response = await fetch(`${site.base_url}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tokenFor('operator', scope)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Item;
}

/** Objects that are read by one tool: an application may send 100 messages a minute, and every tool is called. */
const ASKED = 1;

/** Connections that share the tools of an audience, each with the quota of its own application. */
const PARTS = [0, 1] as const;

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
    else if (name === 'get_export') argumentSets.push(await anExport());
    else if (name === 'get_import') argumentSets.push(await anImport());
    else if (name === 'get_webhook_delivery') argumentSets.push(await aDelivery());
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

const ofOperator = (): Promise<string> => operatorTokenOfNewClient(OPERATOR_SCOPES, 'admin');
const ofMember = (): Promise<string> => memberToken(undefined, { kind: 'confidential' });

const CALLERS = [
  ['SDK 2.x', 'operator', ofOperator],
  ['SDK 1.x', 'operator', ofOperator],
  ['SDK 2.x', 'member', ofMember],
  ['SDK 1.x', 'member', ofMember],
] as const;

it.each(CALLERS)('validates the result of every read tool: %s as %s', async (client, audience, token) => {
  const declared = await declaredTools();
  const toolsets = [...new Set(declared.map(({ toolset }) => toolset))].join(',');
  const own = declared.filter((tool) => tool.audience === audience && tool.annotations.readOnlyHint);
  expect(own.length).toBeGreaterThanOrEqual(8);
  const read: string[] = [];
  for (const part of PARTS) {
    const speaker = await CLIENTS[client]!(await token(), toolsets);
    const tools = speaker.tools.filter((_tool, index) => index % PARTS.length === part);
    read.push(...(await readEverything({ ...speaker, tools })));
    await speaker.close();
  }
  expect(own.map(({ name }) => name).filter((name) => !read.includes(name))).toEqual([]);
});
