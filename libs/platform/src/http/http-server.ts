import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PROBLEM_MEDIA_TYPE, ApiError, toProblem } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import { acceptJson } from './json-body.js';
import { acceptRequestId } from '../telemetry/request-context.js';
import { withoutTrailingSlash } from './trailing-slash.js';
import { uuidv7 } from '../telemetry/uuid.js';

/** Longer than the keep-alive time of proxies, so that the service never closes a connection that a proxy uses. */
const KEEP_ALIVE_MS = 75_000;
/** Time limit for the head of a request, unless the whole request has less. */
const HEADERS_MS = 15_000;
/** Interval at which Node checks the two limits, unless the whole request has less. */
const CHECKING_MS = 5_000;
const PARAMETER_LENGTH = 256;
/** Bytes that a connection buffers in each direction. A hundred uploads at once need less memory than with 64 KiB. */
const HIGH_WATER_MARK = 16 * 1024;

export interface HttpServerOptions {
  /** Bytes. */
  readonly bodyLimit: number;
  /** Time limit in milliseconds for the whole request to arrive. */
  readonly requestTimeout: number;
  /** CIDRs whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Responds to requests that the router rejects before any hook runs. */
  readonly refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

/** The Fastify adapter of a service: limits for everything, only a JSON parser, every refusal as a problem. */
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
      highWaterMark: HIGH_WATER_MARK,
    },
    // While draining, requests on open connections are still served (with "Connection: close").
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

/** Responds to bytes that are not HTTP. No request and reply exist, so the response is written to the socket. */
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
