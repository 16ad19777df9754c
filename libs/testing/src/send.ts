import { request } from 'undici';

export interface ReceivedResponse<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Parsed JSON; an empty object for another type. */
  readonly body: Body;
}

/** Sends one request with any Host header. The body is sent as JSON unless it is a string or bytes. */
export async function send<Body>(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<ReceivedResponse<Body>> {
  const response = await request(`${url}${path}`, {
    method: method as 'GET',
    headers,
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || ArrayBuffer.isView(body) ? (body as Buffer) : JSON.stringify(body) }),
  });
  const text = await response.body.text();
  const json = /[/+]json\b/.test(String(response.headers['content-type'])) && text !== '';
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: (json ? JSON.parse(text) : {}) as Body,
  };
}
