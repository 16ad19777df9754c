import { Agent, request as httpRequest } from 'node:http';
import type { ReceivedResponse } from '@lyceum/testing';
import type { FuzzRequest } from './requests.js';

export interface Service {
  readonly url: string;
  readonly agent: Agent;
  /** Milliseconds in which a response is complete. */
  readonly limit: number;
}

type Received = Omit<ReceivedResponse, 'body'>;

/** Sends the bytes of a request as they are. Rejects when the response is late or broken. */
export async function exchange(request: FuzzRequest, service: Service): Promise<ReceivedResponse> {
  const received = await receive(request, service);
  return { ...received, body: bodyOf(received) };
}

function receive({ method, target, headers, body }: FuzzRequest, { url, agent, limit }: Service): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest({ hostname, port, path: target, method, agent, headers: { ...headers, ...length } });
    const timer = setTimeout(() => sent.destroy(new Error(`No response in ${limit} ms`)), limit);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    // A service may respond before it has read a body that it refuses.
    sent.on('error', fail);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('error', fail);
      response.once('end', () => {
        clearTimeout(timer);
        const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(names), text });
      });
    });
    sent.end(body);
  });
}

function bodyOf({ headers, text }: Received): Record<string, unknown> {
  if (text === '' || !/[/+]json\b/.test(headers['content-type'] ?? '')) return {};
  return JSON.parse(text) as Record<string, unknown>;
}

/** Runs the work for each item, a few at a time. Returns the results in the order of the items. */
export async function inFlight<Item, Result>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
  return results;
}
