import { request } from 'node:http';
import type { LoadRequest, Varying } from './suite.ts';

export interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

/** One request outside the measurement. `fetch` cannot set the Host header. */
export function exchange(origin: string, { method, path, headers, body }: LoadRequest): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(new URL(path, origin), { method, headers: { ...headers, ...length }, timeout: 10_000 });
    sent.on('timeout', () => sent.destroy(new Error(`${origin} does not answer`)));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.end(body);
  });
}

/** A token, an id, a time since 1970 or an instant. */
const FRESH = String.raw`"[\w-]{36,}"|\d{10}\b|"\d{4}-\d\d-\d\dT[\d:.]+Z"`;

/** Reduces a response to the part that is equal each time. */
export function stablePart({ variesFrom, variesIn = [] }: Varying): (body: string) => string {
  const fresh = new RegExp(`"(${variesIn.join('|')})":(?:${FRESH})`, 'g');
  return (body) => {
    const end = variesFrom === undefined ? -1 : body.lastIndexOf(variesFrom);
    const kept = end < 0 ? body : body.slice(0, end);
    return variesIn.length === 0 ? kept : kept.replace(fresh, '"$1":"fresh"');
  };
}
