import { clientOf, systemStack, type SystemSite } from '../../stack/system-stack.js';
import { Actor, CALLBACK, sourceIn } from '../oauth/attack.js';
import { rawHttp, type ApiResponse } from '../raw-http.js';

export { sourceIn } from '../oauth/attack.js';

const stack = systemStack();
export const [site, otherSite] = [stack.sites[0]!, stack.sites[1]!];
export const GATEWAY = stack.services.find(({ name }) => name === 'mcp-gateway')!.internal_url;
export const host = (at: SystemSite = site): string => new URL(at.base_url).host;

export const ERAS = ['older', 'modern'] as const;
export type Era = (typeof ERAS)[number];

export interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The `_meta` that a client of 2026-07-28 sends in each message. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of the era: body and matching headers. */
export function wire(
  era: Era,
  { params = {}, ...message }: Message,
): { body: object; headers: Record<string, string> } {
  if (era === 'older') {
    return { body: { jsonrpc: '2.0', ...message, params }, headers: { 'mcp-protocol-version': '2025-06-18' } };
  }
  const target = message.method === 'resources/read' ? params['uri'] : params['name'];
  // A header cannot carry non-ASCII text or outer spaces.
  const plain = typeof target === 'string' && /^[\x21-\x7E]+$/.test(target);
  const encoded = plain ? target : `=?base64?${Buffer.from(String(target)).toString('base64')}?=`;
  return {
    body: { jsonrpc: '2.0', ...message, params: { ...params, _meta: META } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': message.method,
      ...(typeof target === 'string' ? { 'mcp-name': encoded } : {}),
    },
  };
}

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly fields?: readonly { readonly field: string; readonly code: string }[];
  readonly hint?: string;
}

export interface Result {
  readonly [member: string]: unknown;
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

export interface ToolResponse extends ApiResponse {
  readonly result: Result | undefined;
  /** Code of a JSON-RPC error. */
  readonly rpcCode: number | undefined;
  /** The error of a tool. */
  readonly failure: ToolError | undefined;
}

export interface CallOptions {
  readonly token?: string;
  /** Sends directly to the gateway, as a trusted proxy that names this source. Without it, through the edge. */
  readonly source?: string;
  readonly at?: SystemSite;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export async function post(body: unknown, options: CallOptions = {}): Promise<ToolResponse> {
  const { token, source, at = site, path = '/mcp', headers } = options;
  const response = await rawHttp(source === undefined ? at.base_url : GATEWAY, path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      host: host(at),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(source === undefined ? {} : { 'x-forwarded-for': source }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return { ...response, ...readMessage(response) };
}

/** Older revisions respond with an event stream of one message. */
function readMessage({ text, headers }: ApiResponse): Pick<ToolResponse, 'result' | 'rpcCode' | 'failure'> {
  const streams = headers['content-type']?.startsWith('text/event-stream') === true;
  const json = streams ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}') : text;
  const isJson = streams || headers['content-type']?.includes('json') === true;
  const message = (isJson && json !== '' ? JSON.parse(json) : {}) as { result?: Result; error?: { code?: number } };
  const first = message.result?.content?.[0]?.text;
  const failure =
    message.result?.isError === true ? (JSON.parse(first ?? '{}') as { error: ToolError }).error : undefined;
  return { result: message.result, rpcCode: message.error?.code, failure };
}

export function send(era: Era, message: Message, options: CallOptions = {}): Promise<ToolResponse> {
  const { body, headers } = wire(era, { id: 1, ...message });
  return post(body, { ...options, headers: { ...headers, ...options.headers } });
}

export const call = (
  name: string,
  args: unknown = {},
  options: CallOptions = {},
  era: Era = 'older',
): Promise<ToolResponse> => send(era, { method: 'tools/call', params: { name, arguments: args } }, options);

/** HTTP status, and the code of a JSON-RPC error or of a tool error. */
export const outcome = ({ status, rpcCode, failure }: ToolResponse): readonly unknown[] => [
  status,
  rpcCode ?? failure?.code,
];

export const OPERATOR_SCOPES = clientOf(site, 'operator', 'public').scopes.join(' ');
export const MEMBER_SCOPES = 'openid account:read account:write';

export interface Wanted {
  readonly role?: string;
  readonly kind?: 'public' | 'confidential' | 'web';
  readonly at?: SystemSite;
}

/**
 * A token of a person of the site. Messages are limited by person, application and site, so suites that
 * send many use different ones.
 */
async function tokens(audience: 'member' | 'operator', scope: string, { role, kind = 'public', at = site }: Wanted) {
  const client =
    kind === 'web' ? at.clients.find(({ client_id }) => client_id.endsWith('-web-app'))! : clientOf(at, audience, kind);
  const { client_id, client_secret = null, redirect_uris } = client;
  const request = { client_id, client_secret, redirect_uri: redirect_uris[0]!, scope, resource: at.base_url };
  return new Actor(sourceIn(60), at).tokens(request, role);
}

/** Registers an application with quotas of its own, and returns how a member of the team gets its tokens. */
export async function newClient(
  role: string,
  at: SystemSite = site,
): Promise<{ tokenOf(scope: string): Promise<string> }> {
  const actor = new Actor(sourceIn(60), at);
  const registration = { redirect_uris: [CALLBACK], scope: OPERATOR_SCOPES };
  const { status, body, text } = await actor.send('/api/oauth/register', { json: registration });
  if (status !== 201) throw new Error(`${status} ${text}`);
  const request = { client_id: String(body['client_id']), redirect_uri: CALLBACK, resource: at.base_url };
  return { tokenOf: async (scope) => (await actor.tokens({ ...request, scope }, role)).access_token };
}

export const operatorTokenOfNewClient = async (scope: string, role: string, at: SystemSite = site): Promise<string> =>
  (await newClient(role, at)).tokenOf(scope);

export const operatorTokens = (scope = OPERATOR_SCOPES, wanted: Wanted = {}) =>
  tokens('operator', scope, { role: 'owner', ...wanted });
export const memberTokens = (scope = MEMBER_SCOPES, wanted: Wanted = {}) =>
  tokens('member', scope, { role: 'student', ...wanted });
export const operatorToken = async (...wanted: Parameters<typeof operatorTokens>): Promise<string> =>
  (await operatorTokens(...wanted)).access_token;
export const memberToken = async (...wanted: Parameters<typeof memberTokens>): Promise<string> =>
  (await memberTokens(...wanted)).access_token;
