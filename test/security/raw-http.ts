import { request as httpRequest } from 'node:http';
import { encodedParameters as encoded, type OAuthParameters as Fields } from '@lyceum/testing';

export { encoded, type Fields };

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly form?: Fields | URLSearchParams;
  readonly json?: unknown;
  readonly body?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body of a JSON response, else empty. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Raw HTTP to any address: `fetch` refuses to send many attacks. */
export function rawHttp(
  base: string,
  path: string,
  { method, headers, form, json, body }: Sent = {},
): Promise<ApiResponse> {
  const content = form
    ? String(form instanceof URLSearchParams ? form : encoded(form))
    : json
      ? JSON.stringify(json)
      : body;
  const type = form ? 'application/x-www-form-urlencoded' : json ? 'application/json' : undefined;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      hostname,
      port,
      path,
      // One connection for each request, so responses cannot be mixed up.
      agent: false,
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: {
        connection: 'close',
        ...(type ? { 'content-type': type } : {}),
        // Node sends the body of a DELETE without Content-Length.
        ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
        ...headers,
      },
    });
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const names = Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')]);
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        const parsed = isJson && text !== '' ? (JSON.parse(text) as ApiResponse['body']) : {};
        resolve({ status: response.statusCode!, headers: Object.fromEntries(names), text, body: parsed });
      });
    });
    // A server may respond and close before it has read an oversized body.
    sent.once('error', reject).end(content);
  });
}

/** The parts of a refusal that tests compare. */
export const outcome = ({ status, body }: ApiResponse): readonly [number, unknown] => [status, body['error']];
