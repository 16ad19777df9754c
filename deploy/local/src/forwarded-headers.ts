import type { IncomingMessage } from 'node:http';

/** RFC 9110 §7.6.1: these speak of one connection and end here. `Expect` was answered by our own listener. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Forwarding headers of clients are not trusted (RFC 7239 §8.1). */
const CLAIMED = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** Headers of the request as the service gets them: flat list of names and values. */
export function requestHeaders(request: IncomingMessage): string[] {
  const host = request.headers.host ?? '';
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  return [
    ...endToEnd(request.rawHeaders, (name) => name !== 'host' && !CLAIMED.test(name)),
    'host',
    host,
    'x-forwarded-host',
    host,
    'x-forwarded-proto',
    'http',
    'x-forwarded-for',
    address,
  ];
}

/** Headers of an answer as the client gets them. */
export function responseHeaders(raw: readonly (Buffer | string)[]): string[] {
  return endToEnd(
    raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))),
    () => true,
  );
}

function endToEnd(raw: readonly string[], keep: (name: string) => boolean): string[] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  return pairs
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !HOP_BY_HOP.has(lower) && !named.includes(lower) && keep(lower);
    })
    .flat();
}
