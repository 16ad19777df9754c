import { Catch, Injectable, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { PROBLEMS } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import type { Page } from '@lyceum/pages';
import { toApiError, wantsPage } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failurePage } from '#src/pages/error.page.js';
import { sendPage } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';
import { notFoundPage } from './not-found.page.js';
import { OAuthError } from './oauth-error.js';
import { edgeRule } from './routes.js';

/** OAuth error codes by outcome. */
const NAMES: Record<ApiErrorCode, string> = {
  invalid_request: 'invalid_request',
  unknown_parameter: 'invalid_request',
  invalid_cursor: 'invalid_request',
  validation_failed: 'invalid_request',
  invalid_token: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
  forbidden: 'access_denied',
  not_found: 'invalid_request',
  method_not_allowed: 'invalid_request',
  not_acceptable: 'invalid_request',
  already_exists: 'invalid_request',
  invalid_state: 'invalid_request',
  resource_in_use: 'invalid_request',
  quota_exceeded: 'invalid_request',
  idempotency_in_progress: 'invalid_request',
  precondition_failed: 'invalid_request',
  payload_too_large: 'invalid_request',
  unsupported_media_type: 'invalid_request',
  unknown_host: 'invalid_request',
  idempotency_key_reused: 'invalid_request',
  precondition_required: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  temporarily_unavailable: 'temporarily_unavailable',
  internal: 'server_error',
};

const logger = new Logger('OAuth');

function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const apiError = toApiError(error);
  if (apiError === undefined) {
    logger.error(error);
    return new OAuthError(500, 'server_error', 'Something went wrong on our side.');
  }
  const retry = apiError.retryAfter ?? (apiError.code === 'temporarily_unavailable' ? 1 : undefined);
  const headers = { ...apiError.headers, ...(retry === undefined ? {} : { 'retry-after': String(Math.ceil(retry)) }) };
  return new OAuthError(PROBLEMS[apiError.code].status, NAMES[apiError.code], apiError.message, headers);
}

/** The body of RFC 6749 §5.2, never cached. */
export function sendOAuthError(reply: FastifyReply, error: unknown): void {
  const { status, error: code, description, headers } = asOAuthError(error);
  void reply
    .code(status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...headers,
    })
    .send(JSON.stringify({ error: code, error_description: description }));
}

const pageOf = (site: SiteRecord, error: OAuthError): Page =>
  error.status === 404 ? notFoundPage(site) : failurePage(site, error);

/** The site of the page that the request is for. Undefined for programs: their endpoints have CORS for all origins. */
function siteOfPage({ siteRecord, headers, routeOptions }: FastifyRequest): SiteRecord | undefined {
  const isForPrograms = edgeRule(routeOptions.url ?? '')?.cors === true;
  return siteRecord === null || isForPrograms || !wantsPage(headers.accept) ? undefined : siteRecord;
}

/** People get a page, and programs the body of RFC 6749 §5.2. */
@Catch()
@Injectable()
export class OAuthErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.raw.headersSent) {
      request.raw.destroy();
      return;
    }
    const site = siteOfPage(request);
    if (site === undefined) sendOAuthError(reply, error);
    else sendPage(reply, pageOf(site, asOAuthError(error)));
  }
}
