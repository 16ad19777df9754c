import { SITE, newSource } from './gateway.js';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Without host and token, which differ in each run. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Kind of the sent token. */
  readonly token: string | null;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The messages, with types in place of variable values. */
  readonly messages: readonly unknown[];
}

export interface Recorded {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

const OF_THE_MOMENT = new Set(['authorization', 'host', 'x-forwarded-host', 'x-forwarded-for']);
const OF_INTEREST = ['allow', 'content-type', 'mcp-session-id', 'www-authenticate'];

/** Members whose values affect a client. */
const MEANT = new Set([
  'jsonrpc',
  'id',
  'method',
  'code',
  'type',
  'role',
  'protocolVersion',
  'mimeType',
  'uri',
  'name',
]);

export function shapeOf(value: unknown, member = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => shapeOf(element, member));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each, name)]));
  }
  return MEANT.has(member) || value === null ? value : typeof value;
}

/** A body is one message, or an event stream of several. */
function messagesOf(text: string): unknown[] {
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data);
  const messages = events.length > 0 ? events : text.trim() === '' ? [] : [text];
  return messages.map((message) => shapeOf(JSON.parse(message)));
}

async function answerOf(response: Response): Promise<RecordedAnswer> {
  const headers = OF_INTEREST.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    messages: messagesOf(await response.text()),
  };
}

/** A `fetch` for a client that records the traffic. */
export function recorder(gateway: string, token: string | null): { fetch: typeof fetch; conversation: Recorded[] } {
  const conversation: Recorded[] = [];
  const source = newSource();
  return {
    conversation,
    fetch: async (url, init) => {
      const sent = new Headers(init?.headers);
      const { body } = init ?? {};
      const request: RecordedRequest = {
        method: init?.method ?? 'GET',
        path: new URL(url instanceof Request ? url.url : url).pathname,
        headers: Object.fromEntries([...sent].filter(([name]) => !OF_THE_MOMENT.has(name))),
        body: typeof body === 'string' ? body : null,
        token,
      };
      const response = await transmit(gateway, request, source, init?.signal ?? undefined);
      conversation.push({ request, answer: await answerOf(response.clone()) });
      return response;
    },
  };
}

/** Replays a recorded request byte for byte. */
export async function replay(gateway: string, request: RecordedRequest): Promise<RecordedAnswer> {
  return answerOf(await transmit(gateway, request, newSource()));
}

function transmit(gateway: string, request: RecordedRequest, source: string, signal?: AbortSignal): Promise<Response> {
  const { method, path, headers, body, token } = request;
  return fetch(`${gateway}${path}`, {
    method,
    headers: {
      ...headers,
      'x-forwarded-host': SITE.host,
      'x-forwarded-for': source,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}
