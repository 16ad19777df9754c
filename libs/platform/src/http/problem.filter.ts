import { Catch, Injectable, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { ApiError, PROBLEM_MEDIA_TYPE, toProblem } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowedMethods } from './allowed-methods.js';
import { baseUrlOf } from './base-url.js';
import { toApiError } from './http-error.js';
import { errorMessage } from '../telemetry/error-message.js';
import { loggedPath, pathOf } from '../telemetry/logged-path.js';
import { withoutTrailingSlash } from './trailing-slash.js';

const FAULT = 'The fault is ours and has been written down. Give the request_id when you ask about it.';

const apiErrors = new WeakMap<FastifyRequest, ApiError>();

/** The API error of the request's response, for the request log. */
export function apiErrorOf(request: FastifyRequest): ApiError | undefined {
  return apiErrors.get(request);
}

/**
 * The default exception filter: an `ApiError` becomes `application/problem+json` (RFC 9457); any other error is logged
 * with its cause and shown as `internal`. Errors of other transports (GraphQL) are rethrown: their surface handles and
 * logs them.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger(ProblemFilter.name);
  readonly #allowed: AllowedMethods;
  readonly #notFoundDetail: string;

  constructor(allowed: AllowedMethods, notFoundDetail: string) {
    this.#allowed = allowed;
    this.#notFoundDetail = notFoundDetail;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const http = host.switchToHttp();
    this.response(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Responds to errors outside of the handlers of Nest, in hooks and raw routes. */
  response(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const apiError = this.#apiErrorOf(error, request);
    apiErrors.set(request, apiError);
    if (reply.sent || reply.raw.headersSent) {
      // Part of the response was sent: only closing the connection shows that it is incomplete.
      if (!reply.raw.writableEnded) reply.raw.destroy();
      return;
    }
    const problem = toProblem(apiError, {
      instance: pathOf(request),
      requestId: request.id,
      baseUrl: baseUrlOf(request),
    });
    for (const [name, value] of Object.entries(apiError.headers)) void reply.header(name, value);
    const retryAfter = apiError.retryAfter ?? (apiError.code === 'temporarily_unavailable' ? 1 : undefined);
    if (retryAfter !== undefined) void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
    void reply
      .code(problem.status)
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('content-type', PROBLEM_MEDIA_TYPE)
      // As bytes: Fastify adds a charset to the type of a string, and JSON has none (RFC 8259 §11).
      .send(Buffer.from(JSON.stringify(problem)));
  }

  #apiErrorOf(error: unknown, request: FastifyRequest): ApiError {
    const apiError = toApiError(error);
    if (apiError === undefined) {
      this.#logger.error(error instanceof Error ? error : new Error(errorMessage(error)), this.#where(request));
      return new ApiError('internal', FAULT);
    }
    if (apiError.code === 'internal') this.#logger.error(apiError, this.#where(request));
    return apiError.code === 'not_found' && request.is404 ? this.#notFound(request) : apiError;
  }

  /** Distinguishes an unknown path (404) from a wrong method (405). */
  #notFound(request: FastifyRequest): ApiError {
    const methods = this.#allowed.of(withoutTrailingSlash(pathOf(request)));
    if (methods.length === 0 || methods.includes(request.method)) {
      return new ApiError('not_found', this.#notFoundDetail);
    }
    const allow = methods.join(', ');
    return new ApiError('method_not_allowed', `This path allows only ${allow}.`, { headers: { allow } });
  }

  #where(request: FastifyRequest): object {
    return { method: request.method, route: request.routeOptions?.url ?? null, path: loggedPath(request) };
  }
}
