import type { Type } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { readConfiguration, startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { IntrospectionServer, PATIENT_SETTINGS, activeAt, eventually, respondJson, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Catalog } from '#src/catalog/catalog.service.js';
import { mcpGateway } from '#src/mcp-gateway.js';
import { CALL_KEYS, FakeAuth, LOCAL, startTools } from './fixture.contexts.js';
import { LearnerTools, SchoolTools } from './fixture.tools.js';

export const SITE: Site = {
  site_id: '0190a0b0-0000-7000-8000-000000000001',
  base_url: 'https://one.example',
  host: 'one.example',
  name: 'Site One',
  slug: 'one',
  org_id: 'org_1',
  state: 'active',
};
export const OTHER: Site = {
  ...SITE,
  site_id: '0190a0b0-0000-7000-8000-000000000002',
  base_url: 'https://two.example',
  host: 'two.example',
  org_id: 'org_2',
};

/** auth's introspection results for the tokens of the tests; other tokens are unknown. */
const TOKENS: Readonly<Record<string, Record<string, unknown>>> = {
  member: activeAt(SITE, { scope: 'openid profile account:read', client_id: 'reader' }),
  operator: activeAt(SITE, { scope: 'openid courses:read students:write', client_id: 'office', audience: 'operator' }),
  'operator-reading': activeAt(SITE, { scope: 'courses:read', client_id: 'office', audience: 'operator' }),
  expired: activeAt(SITE, { exp: Math.floor(Date.now() / 1000) - 1 }),
  foreign: activeAt(OTHER),
  revocable: activeAt(SITE, { grant_id: 'revocable' }),
};

export interface GatewayOptions {
  readonly replicas?: number;
  /** Providers of the other services, by service name. */
  readonly capabilities?: Readonly<Record<string, Type[]>>;
  readonly site?: Site;
  readonly environment?: Record<string, string>;
}

const SCHOOL = { 'admin-api': [SchoolTools], 'member-api': [LearnerTools] };

export class Gateway {
  /** Tokens that were revoked meanwhile. */
  readonly revoked = new Set<string>();

  private constructor(
    readonly nats: TestNats,
    readonly introspection: IntrospectionServer,
    readonly auth: FakeAuth,
    readonly services: RunningService[],
    readonly replicas: RunningService[],
  ) {
    introspection.response = (reply, form) => {
      const token = form.get('token') ?? '';
      if (token.startsWith('no-introspection')) return respondJson(reply, {}, 500);
      // `member.7` is a client without counted messages, `member.7.<uuid>` another person with it.
      const [kind = '', serial, person_id] = token.split('.');
      const state = this.revoked.has(token) ? undefined : TOKENS[kind];
      const client = serial === undefined ? {} : { client_id: `${String(state?.['client_id'])}-${serial}` };
      const person = person_id === undefined ? {} : { person_id };
      respondJson(reply, state === undefined ? { active: false } : { ...state, ...client, ...person });
    };
  }

  static async start({
    replicas = 1,
    capabilities = SCHOOL,
    site = SITE,
    environment = {},
  }: GatewayOptions = {}): Promise<Gateway> {
    const nats = await testNats();
    const introspection = await new IntrospectionServer().start();
    const auth = await FakeAuth.start(nats.environment('auth'), [site, OTHER]);
    const services = await Promise.all(
      Object.entries(capabilities).map(([name, providers]) => startTools(name, nats.environment(name), providers)),
    );
    const gateway = new Gateway(nats, introspection, auth, services, []);
    for (let i = 0; i < replicas; i += 1)
      gateway.replicas.push(await gateway.#replica(Object.keys(capabilities), environment));
    return gateway;
  }

  async #replica(services: readonly string[], more: Record<string, string>): Promise<RunningService> {
    const replica = await startService(
      mcpGateway,
      readConfiguration(mcpGateway.environment, {
        ...LOCAL,
        ...this.nats.environment('mcp-gateway'),
        INTROSPECTION_URL: this.introspection.url,
        INTROSPECTION_CLIENT_ID: 'mcp-gateway',
        INTROSPECTION_CLIENT_SECRET: 'secret',
        ...PATIENT_SETTINGS,
        SHARED_VALUE_TIMEOUT_MS: '10000',
        CALL_SIGNING_KEY: CALL_KEYS.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
        ...more,
      }),
    );
    const catalog = replica.app.get(Catalog);
    const there = (): string[] => [...catalog.tools()].map(({ service }) => service);
    await eventually(() => ['mcp-gateway', ...services].every((service) => there().includes(service)));
    return replica;
  }

  get url(): string {
    const [first] = this.replicas;
    if (first === undefined) throw new Error('no replica runs');
    return first.url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.replicas, ...this.services, this.auth].map((service) => service.close()));
    await this.introspection.stop();
    await this.nats.stop();
  }
}

export type Era = 'older' | 'modern';
export const ERAS: readonly Era[] = ['older', 'modern'];

export interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/** A message as a client of the era sends it: body and matching headers. */
export function wire(era: Era, message: Message): { body: object; headers: Record<string, string> } {
  const { params = {} } = message;
  if (era === 'older') {
    return { body: { jsonrpc: '2.0', ...message, params }, headers: { 'mcp-protocol-version': '2025-06-18' } };
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params['_meta'] as object | undefined),
  };
  const { name, uri } = params;
  const target = message.method === 'resources/read' ? uri : name;
  return {
    body: { jsonrpc: '2.0', ...message, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': message.method,
      ...(typeof target === 'string' ? { 'mcp-name': target } : {}),
    },
  };
}

let serial = 0;
/** A source without counted messages. */
export const newSource = (): string => `203.0.${Math.trunc((serial += 1) / 250)}.${serial % 250}`;

export interface Sent {
  readonly host?: string;
  readonly token?: string | undefined;
  readonly source?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ResponseBody;
}

/** The tested parts of a JSON-RPC response or a problem. */
export interface ResponseBody {
  readonly [member: string]: unknown;
  readonly result?: {
    readonly [member: string]: unknown;
    readonly isError?: boolean;
    readonly tools?: readonly ({ readonly name: string; readonly _meta: Record<string, unknown> } & Record<
      string,
      unknown
    >)[];
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
  };
}

/** The error of a JSON-RPC response. */
export function rpcErrorOf({ body }: ReceivedResponse): { code?: number; message?: string } {
  return typeof body['error'] === 'object' && body['error'] !== null ? body['error'] : {};
}

/** Sends one request through the test's trusted proxy. The response can be a stream that stays open. */
export function request(url: string, body: unknown, sent: Sent = {}): Promise<Response> {
  const method = sent.method ?? 'POST';
  return fetch(`${url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-host': sent.host ?? SITE.host,
      'x-forwarded-for': sent.source ?? newSource(),
      ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
      ...sent.headers,
    },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(sent.signal === undefined ? {} : { signal: sent.signal }),
  });
}

/** Sends one request, and reads its whole response. */
export async function post(url: string, body: unknown, sent: Sent = {}): Promise<ReceivedResponse> {
  const response = await request(url, body, sent);
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

/** Older revisions respond with an event stream of one message. */
function parse(text: string): ResponseBody {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return data === '' ? {} : (JSON.parse(data) as ResponseBody);
}

export function send(url: string, era: Era, message: Message, sent: Sent = {}): Promise<ReceivedResponse> {
  const { body, headers } = wire(era, { id: 1, ...message });
  return post(url, body, { ...sent, headers: { ...headers, ...sent.headers } });
}

export const call = (
  url: string,
  era: Era,
  name: string,
  args: object = {},
  sent: Sent = {},
): Promise<ReceivedResponse> => send(url, era, { method: 'tools/call', params: { name, arguments: args } }, sent);

export async function listed(url: string, sent: Sent = {}): Promise<{ tools: string[] }> {
  const { body } = await send(url, 'modern', { method: 'tools/list' }, sent);
  return { tools: (body.result?.tools ?? []).map(({ name }) => name) };
}
