import { connect } from 'node:net';
import { once } from 'node:events';
import { mintToken } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

const site = systemStack().sites[0]!;
const { host, hostname, port } = new URL(site.base_url);

const BODY_BYTES = 8 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const TURNS = 5;
/** Limits a test whose client stalls because the server no longer reads. */
const STALLED_MS = 15_000;

interface Framing {
  readonly headers: readonly string[];
  readonly piece: (bytes: Buffer) => Buffer;
  readonly end: string;
}
const CHUNKED: Framing = {
  headers: ['Transfer-Encoding: chunked'],
  piece: (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
  end: '0\r\n\r\n',
};
const LENGTH: Framing = { headers: [`Content-Length: ${BODY_BYTES}`], piece: (bytes) => bytes, end: '' };

function isComplete(response: string): boolean {
  const [head = '', body] = response.split('\r\n\r\n', 2);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return body !== undefined && (length === undefined ? body.endsWith('0\r\n') : body.length >= Number(length));
}

/**
 * Sends the whole body and then reads the response, as simple clients do. Gives the status, or what the connection
 * failed with.
 */
async function post(path: string, framing: Framing, headers: readonly string[]): Promise<string | undefined> {
  const socket = connect(Number(port), hostname);
  let response = '';
  socket.setEncoding('latin1').on('data', (part: string) => (response += part));
  const closed = new AbortController();
  socket.once('close', () => closed.abort(new Error(`closed after "${response.slice(0, 12)}"`)));
  const stalled = setTimeout(() => closed.abort(new Error(`stalled after "${response.slice(0, 12)}"`)), STALLED_MS);
  const until = (event: string): Promise<unknown> => once(socket, event, closed);
  try {
    const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, ...headers, ...framing.headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const piece = framing.piece(PIECE);
    for (let bytes = 0; bytes < BODY_BYTES; bytes += PIECE.length) {
      if (!socket.write(piece)) await until('drain');
    }
    if (framing.end !== '') socket.write(framing.end);
    while (!isComplete(response)) await until('data');
    return /^HTTP\/1\.1 (\d+) /.exec(response)?.[1];
  } catch (error) {
    return String(closed.signal.aborted ? closed.signal.reason : error);
  } finally {
    clearTimeout(stalled);
    socket.on('error', () => undefined).destroy();
  }
}

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_BODY = 'Content-Type: application/json';
const MCP = 'Accept: application/json, text/event-stream';

describe('a body of 8 MiB', () => {
  let authorization: Record<'operator' | 'member', string>;
  beforeAll(async () => {
    const bearer = async (role: string, audience: 'operator' | 'member', scope: string) => {
      const client = clientOf(site, audience, 'public');
      const { access_token } = await mintToken({ site, ...personOf(site, role), ...client, scope });
      return `Authorization: Bearer ${access_token}`;
    };
    authorization = {
      operator: await bearer('owner', 'operator', 'openid courses:write'),
      member: await bearer('student', 'member', 'openid account:read'),
    };
  });

  describe.each([
    ['/api/oauth/token', () => [FORM]],
    ['/api/v1/courses', () => [JSON_BODY, authorization.operator]],
    ['/member/graphql', () => [JSON_BODY, authorization.member]],
    ['/mcp', () => [JSON_BODY, MCP]],
  ])('to %s', (path, headers) => {
    it.each([
      ['in chunks', CHUNKED, []],
      ['in chunks, on a connection to close', CHUNKED, ['Connection: close']],
      ['with a length', LENGTH, []],
      ['with a length, on a connection to close', LENGTH, ['Connection: close']],
    ])('gets 413 every time %s', async (_how, framing, more) => {
      for (let turn = 0; turn < TURNS; turn += 1) {
        expect(await post(path, framing, [...headers(), ...more])).toBe('413');
      }
    });
  });
});
