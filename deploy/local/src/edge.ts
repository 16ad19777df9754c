import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { ApiError, PROBLEMS, PROBLEM_MEDIA_TYPE, toProblem, type ApiErrorCode } from '@lyceum/errors';
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Pool } from 'undici';
import { requestHeaders, responseHeaders } from './forwarded-headers.js';
import { asksForMails, showMails } from './mail-page.js';
import { Places } from './places.js';
import { bodyOf, bodyTo, discardRest } from './request-body.js';
import { routeOf } from './routes.js';
import { SlowReaders } from './slow-readers.js';
import { Turns } from './turns.js';
import type { Upstream, Upstreams } from './upstreams.js';

export interface EdgeOptions {
  readonly port: number;
  /** Addresses to listen on. The first one must work, the others (`::1` on a machine without IPv6) may not. */
  readonly addresses: readonly [string, ...string[]];
  /** Where each service listens. The caller closes them. */
  readonly upstreams: Readonly<Record<ServiceName, Upstreams>>;
  /** Folder with the mails that the services wrote; they are shown at `/-/mails`. */
  readonly mailDirectory?: string;
  readonly timeouts?: Partial<Timeouts>;
}

interface Timeouts {
  /** How long a request may take to arrive: its head, and all of it. */
  readonly headMs: number;
  readonly requestMs: number;
  /** How long a request waits for a connection to its service. */
  readonly placeMs: number;
  /** How long a client may read nothing of a response. */
  readonly unreadMs: number;
}

/** A replica, with the connections to it. */
interface Replica {
  readonly pool: Pool;
  readonly places: Places;
}

export interface Edge {
  readonly port: number;
  close(): Promise<void>;
}

const HEADER_BYTES = 16_384;
/** A request that arrives more slowly gets 408: these limits are those of the services. */
const TIMEOUTS: Timeouts = { headMs: 15_000, requestMs: 30_000, placeMs: 3_000, unreadMs: 30_000 };
/** Connections to one replica. */
const CONNECTIONS = 256;
/** That of the services. A client that was busy for a while can still use its connection. */
const KEEP_ALIVE_MS = 75_000;
/** How often Node looks for requests that took too long: they end this much later, at most. */
const CHECKING_MS = 1_000;
const CONNECT_MS = 2_000;
/** Errors of a connection that was never made. */
const UNCONNECTED = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);
/** Time until the first byte of a response. The body has no limit, because it can be a stream of events. */
const FIRST_BYTE_MS = 60_000;

/** The one origin before the four services: routes by path, spreads over replicas, adds X-Forwarded-* and streams. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { port, addresses, upstreams, mailDirectory } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const replicas = new Map(
    SERVICES.flatMap((name) => upstreams[name].all).map(
      (upstream) => [upstream, { pool: poolOf(upstream), places: new Places(CONNECTIONS, timeouts.placeMs) }] as const,
    ),
  );

  const turns = new Turns();
  const slowReaders = new SlowReaders(timeouts.unreadMs);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const target = request.url ?? '/';
    if (!target.startsWith('/'))
      return refuse(request, response, 'invalid_request', 'The request target must be a path.');
    if (hosts(request) > 1) return refuse(request, response, 'invalid_request', 'There is more than one Host header.');
    if (mailDirectory !== undefined && asksForMails(request)) return void showMails(mailDirectory, response);
    const service = routeOf(target.split('?', 1)[0] ?? '/');
    void forward(upstreams[service], replicas, request, response);
  };

  const servers: Server[] = [];
  for (const address of addresses) {
    const server = createServer(
      {
        maxHeaderSize: HEADER_BYTES,
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: timeouts.headMs,
        requestTimeout: timeouts.requestMs,
        connectionsCheckingInterval: Math.min(CHECKING_MS, timeouts.headMs),
      },
      (request, response) => turns.take(request, response, () => answer(request, response)),
    );
    server.on('connection', (socket) => slowReaders.watch(socket));
    server.on('clientError', (error, socket: Socket) => refuseUnreadable(error, socket, turns.currentOf(socket)));
    const bound = servers[0] ? boundPort(servers[0]) : port;
    try {
      await listen(server, bound, address);
      servers.push(server);
    } catch (error) {
      // No IPv6 here is fine. Somebody else there is not: `localhost` would lead to them.
      if (servers.length === 0 || (error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    }
  }
  return {
    port: servers[0] ? boundPort(servers[0]) : port,
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const server of servers) server.closeAllConnections();
      slowReaders.close();
      await Promise.all([...closed, ...[...replicas.values()].map(({ pool }) => pool.destroy())]);
    },
  };
}

function poolOf({ url }: Upstream): Pool {
  return new Pool(url, {
    connections: CONNECTIONS,
    headersTimeout: FIRST_BYTE_MS,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_MS },
  });
}

/**
 * Tries the next replica only when no connection was made. A request of which a byte was sent is never repeated: the
 * edge cannot see whether a service did its work before it died.
 */
async function forward(
  upstreams: Upstreams,
  replicas: ReadonlyMap<Upstream, Replica>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for (const upstream of upstreams.inTurn()) {
    const replica = replicas.get(upstream);
    const error = replica && (await attempt(replica, request, response, gone.signal));
    if (error === undefined) return;
    if (response.headersSent || gone.signal.aborted) return void response.destroy();
    if (!UNCONNECTED.has(error.code ?? '')) break;
    upstreams.refused(upstream);
  }
  refuse(request, response, 'temporarily_unavailable', 'The service behind this path does not answer.');
  discardRest(request);
}

/** Sends the request to one replica. Returns the error of the exchange, if any. */
async function attempt(
  { pool, places }: Replica,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<NodeJS.ErrnoException | undefined> {
  // The pool has no time limit for requests that wait for a connection.
  if (!(await places.take(signal))) return new Error('All connections to the replica are in use');
  const hasBody = 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0;
  try {
    await pool.stream(
      {
        method: request.method as 'GET',
        path: request.url ?? '/',
        headers: requestHeaders(request),
        body: hasBody ? bodyOf(request) : null,
        signal,
        responseHeaders: 'raw',
      },
      ({ statusCode, headers }) => {
        // With `responseHeaders: 'raw'` they are the flat list that came in, so that repeated names stay apart.
        response.writeHead(statusCode, responseHeaders(headers as unknown as Buffer[]));
        response.flushHeaders();
        return bodyTo(response, request);
      },
    );
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    places.leave();
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, code: ApiErrorCode, detail: string): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : randomUUID();
  const instance = (request.url ?? '/').split('?', 1)[0] ?? '/';
  response.writeHead(PROBLEMS[code].status, {
    'content-type': PROBLEM_MEDIA_TYPE,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    ...(code === 'temporarily_unavailable' ? { 'retry-after': '1' } : {}),
    // The unread rest of a body must not be parsed as the next request.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(JSON.stringify(toProblem(new ApiError(code, detail), { instance, requestId })));
}

/** Responds to bytes that are no request: no HTTP, too large a head, or a request that took too long to arrive. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, current: ServerResponse | undefined): void {
  // A response has begun: that of a request whose body takes too long, or that of an earlier request. A second status
  // line would be a part of that response.
  const answered = current?.headersSent === true && !(current.req.complete && current.writableFinished);
  if (!socket.writable || answered || error.code === 'ECONNRESET') return void socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** RFC 9112 §3.2: more than one Host is refused. Node keeps the first of them without a word. */
function hosts(request: IncomingMessage): number {
  return request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}

function boundPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
