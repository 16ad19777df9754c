import { randomBytes, randomUUID } from 'node:crypto';
import { BrowserSession, postForms } from '@lyceum/testing';
import { graphql, type JsonResponse, send } from '../clients/http.ts';
import { clientOf } from '../stack/system-stack.ts';
import { MEMBER_SCOPE, OPERATOR_SCOPE, type ScaleStack } from './scale-stack.ts';
import { Busy, type Kind, SUBSCRIPTION } from './steady-load.ts';

interface ToolsMessage {
  readonly result?: {
    readonly isError?: boolean;
    readonly resultType?: string;
    readonly tools?: readonly { readonly name: string }[];
  };
}

/** The load of the proofs: every surface, through the edge. The pauses keep within the limits of one person. */
export async function steadyKinds(scale: ScaleStack): Promise<Kind[]> {
  const [member, operator, second, third] = await Promise.all([
    scale.grant('student', 'member', MEMBER_SCOPE),
    scale.grant('owner', 'operator', OPERATOR_SCOPE),
    scale.grant('student', 'member', MEMBER_SCOPE),
    scale.grant('student', 'member', MEMBER_SCOPE),
  ]);
  const { base_url } = scale.site;
  const tools = await toolNames(base_url);
  return [
    viewer(base_url, member.access_token),
    ...(await operatorKinds(base_url, operator.access_token)),
    {
      name: 'tools/call',
      clients: 1,
      pauseMs: 200,
      send: async () => {
        const { result } = await callTools(base_url, 'tools/call', { name: 'browse_catalog', arguments: {} });
        assert(result !== undefined && result.isError !== true, `no result but ${JSON.stringify(result)}`);
      },
    },
    {
      name: 'tools/call with a token',
      clients: 1,
      pauseMs: 1_000,
      send: async () => {
        const call = { name: 'my_courses', arguments: {} };
        const { result } = await callTools(base_url, 'tools/call', call, member.access_token);
        assert(result !== undefined && result.isError !== true, `no result but ${JSON.stringify(result)}`);
      },
    },
    {
      name: 'tools/list',
      clients: 1,
      pauseMs: 400,
      send: async () => {
        // A new release may add tools while both run.
        const listed = (await toolNames(base_url)).split(',');
        const missing = tools.split(',').filter((name) => !listed.includes(name));
        assert(missing.length === 0, `the tools ${missing.join()} are missing`);
      },
    },
    ...[second, third].map((grant) => refresh(scale, grant.refresh_token ?? '')),
    authorizePage(scale),
    {
      name: 'sign-in',
      clients: 1,
      pauseMs: 1_500,
      send: async () => void (await scale.grant('student', 'member', MEMBER_SCOPE)),
    },
    { name: SUBSCRIPTION, clients: 2, pauseMs: 100, send: (signal) => subscription(base_url, signal) },
  ];
}

function viewer(base: string, token: string): Kind {
  return {
    name: 'viewer',
    clients: 2,
    pauseMs: 50,
    send: async () => {
      const response = await graphql<{ viewer: { name: string } | null }>(base, token, '{ viewer { name } }');
      assertStatus(response, 200, Boolean(response.body.data?.viewer));
    },
  };
}

/** Get, list and create. A created course is read at once, perhaps at another replica. */
async function operatorKinds(base: string, token: string): Promise<Kind[]> {
  const api = `${base}/api/v1/courses`;
  const create = async (): Promise<string> => {
    const json = { name: 'Under load', slug: `load-${randomUUID()}` };
    const response = await send<{ id: string }>(api, { token, json });
    assertStatus(response, 201);
    return response.body.id;
  };
  let newest = await create();
  return [
    { name: 'create course', clients: 1, pauseMs: 600, send: async () => void (newest = await create()) },
    {
      name: 'get course',
      clients: 1,
      pauseMs: 250,
      send: async () => {
        const id = newest;
        const response = await send(`${api}/${id}`, { token });
        assertStatus(response, 200, response.body['id'] === id);
      },
    },
    {
      name: 'list courses',
      clients: 1,
      pauseMs: 250,
      send: async () => {
        const response = await send<{ data?: readonly unknown[] }>(`${api}?limit=10`, { token });
        assertStatus(response, 200, Array.isArray(response.body.data));
      },
    },
  ];
}

/** Rotates one refresh token, far below the 60 requests a minute of one grant. */
function refresh(scale: ScaleStack, first: string): Kind {
  let refresh_token = first;
  return {
    name: 'refresh',
    clients: 1,
    pauseMs: 3_000,
    send: async () => {
      const { status, body } = await scale.refresh(refresh_token);
      assert(status === 200, `${status} ${JSON.stringify(body)}`);
      refresh_token = body.refresh_token ?? '';
    },
  };
}

/** Opens the sign-in page of an authorization request in a new browser. */
function authorizePage({ site }: ScaleStack): Kind {
  const client = clientOf(site, 'member', 'public');
  return {
    name: 'authorize page',
    clients: 1,
    pauseMs: 300,
    send: async () => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: client.redirect_uris[0] ?? '',
        scope: MEMBER_SCOPE,
        state: randomUUID(),
        resource: site.base_url,
        code_challenge: randomBytes(32).toString('base64url'),
        code_challenge_method: 'S256',
      });
      const page = await new BrowserSession({ origin: site.base_url }).open(`/oauth/authorize?${query.toString()}`);
      const isSignIn = postForms(page.body).some(({ names }) => names.has('password'));
      assert(page.status === 200 && isSignIn, `${page.status} without a form to sign in`);
    },
  };
}

/** Follows the changes of the tools until the stream ends. A replica that stops sends the result first. */
async function subscription(base: string, signal: AbortSignal): Promise<void> {
  let text = '';
  try {
    const response = await toolsRequest(base, 'subscriptions/listen', MODERN, signal);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  assert(text.includes('"resultType":"complete"'), `the stream ended without its result: ${text}`);
}

/** The params of a subscription by a client of the newest revision. */
const MODERN = {
  notifications: { toolsListChanged: true },
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** The names of the public tools, as one text. */
async function toolNames(base: string): Promise<string> {
  return namesIn(await callTools(base, 'tools/list', {}));
}

/** The names of the tools in a response of `/mcp`, as one text. */
export function listedTools(text: string): string {
  return namesIn(toolsMessage(text));
}

function namesIn({ result }: ToolsMessage): string {
  return (result?.tools ?? []).map(({ name }) => name).join();
}

async function callTools(base: string, method: string, params: object, token?: string): Promise<ToolsMessage> {
  const response = await toolsRequest(base, method, params, AbortSignal.timeout(60_000), token);
  const text = await response.text();
  assertStatus({ status: response.status, headers: response.headers, body: text }, 200);
  return toolsMessage(text);
}

/** A response of `/mcp`: one JSON document, or the data of one event. */
function toolsMessage(text: string): ToolsMessage {
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as ToolsMessage;
}

function toolsRequest(
  base: string,
  method: string,
  params: object,
  signal: AbortSignal,
  token?: string,
): Promise<Response> {
  const isModern = '_meta' in params;
  return fetch(`${base}/mcp`, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(isModern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'load', method, params }),
  });
}

/** The problem of the edge, which no retry excuses: a connection was refused or lost. */
const LOST = 'The service behind this path does not answer';

function assertStatus({ status, headers, body }: JsonResponse<unknown>, wanted: number, isRight = true): void {
  if (status === wanted && isRight) return;
  const reason = `${status} ${JSON.stringify(body)}`;
  throw status === 503 && headers.has('retry-after') && !reason.includes(LOST) ? new Busy(reason) : new Error(reason);
}

function assert(isRight: boolean, reason: string): void {
  if (!isRight) throw new Error(reason);
}
