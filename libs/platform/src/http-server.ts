import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PROBLEM_MEDIA_TYPE, ApiError, toProblem } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import { acceptJson } from './json-body.js';
import { acceptRequestId } from './request-context.js';
import { withoutTrailingSlash } from './trailing-slash.js';
import { uuidv7 } from './uuid.js';

/** Longer than proxies keep theirs, so that it is never we who close a connection in use. */
const KEEP_ALIVE_MS = 75_000;
/** For the head of a request to arrive, if the whole request does not have less. */
const HEADERS_MS = 15_000;
/** How often Node looks at the two limits, if the whole request does not have less. */
const CHECKING_MS = 5_000;
const PARAMETER_LENGTH = 256;

export interface HttpServerOptions {
  /** Bytes. */
  readonly bodyLimit: number;
  /** Milliseconds that a whole request has to arrive. */
  readonly requestTimeout: number;
  /** CIDRs whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Answers what the router refuses before any hook runs. */
  readonly refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

/** The Fastify adapter of a service: limits on everything, no parser but JSON's, every refusal as a problem. */
export function createHttpAdapter(options: HttpServerOptions): FastifyAdapter {
  const { requestTimeout } = options;
  const settings: FastifyHttpOptions<Server> = {
    logger: false,
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout,
    http: {
      headersTimeout: Math.min(HEADERS_MS, requestTimeout),
      connectionsCheckingInterval: Math.min(CHECKING_MS, requestTimeout),
    },
    // While draining, requests on open connections are still answered (with "Connection: close").
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAMETER_LENGTH },
    rewriteUrl: ({ url = '' }) => withoutTrailingSlash(url),
    genReqId: (request) => acceptRequestId(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => options.refuse(error, request, reply),
    clientErrorHandler: refuseBytes,
  };
  const adapter = new FastifyAdapter(settings);
  const fastify = adapter.getInstance();
  // A route accepts JSON and the media types that its service registers. Fastify accepts plain text by default.
  fastify.removeContentTypeParser('text/plain');
  acceptJson(fastify, 'application/json');
  return adapter;
}

const BYTE_ERRORS: Readonly<Record<string, { status: number; code: ApiErrorCode; detail: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'invalid_request', detail: 'The header fields are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'invalid_request', detail: 'The request took too long to arrive.' },
};
const BAD_BYTES = { status: 400, code: 'invalid_request', detail: 'This is not an HTTP request.' } as const;

/** What arrived is not HTTP, so there is no request and no reply to speak through: the socket gets a plain answer. */
function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, detail } = BYTE_ERRORS[error.code ?? ''] ?? BAD_BYTES;
  const problem = toProblem(new ApiError(code, detail), { instance: '/', requestId: uuidv7() });
  const body = JSON.stringify({ ...problem, status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.request_id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
