import { Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { OAuthError } from '#src/edge/oauth-error.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { UserInfoService } from './userinfo.service.js';

/** RFC 6750 §2.1: one or more spaces follow the scheme. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** RFC 6750 §3 with the pointer of RFC 9728 §5.1. A request without a token gets no error code. */
function challenge(site: SiteRecord, error?: string, description?: string, scope?: string): Record<string, string> {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    `resource_metadata="${site.base_url}${ENDPOINTS.protectedResourceMetadata}"`,
  ];
  return { 'www-authenticate': `Bearer ${parts.join(', ')}` };
}

@Controller(ENDPOINTS.userinfo)
@UseFilters(OAuthErrorFilter)
export class UserInfoController {
  constructor(private readonly userInfo: UserInfoService) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#respond(request, reply, undefined);
  }

  @Post()
  @HttpCode(200)
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const hasBody = request.headers['content-type'] !== undefined;
    await this.#respond(request, reply, hasBody ? single(await readForm(request), 'access_token') : undefined);
  }

  async #respond(request: FastifyRequest, reply: FastifyReply, fromBody: string | undefined): Promise<void> {
    const site = siteOf(request);
    const token = this.#token(site, request.headers.authorization, fromBody);
    const result = await this.userInfo.of(site.site_id, token, request.ip);
    if (result.kind === 'invalid_token') {
      const description = 'the access token is expired, revoked or not of this site';
      throw new OAuthError(401, 'invalid_token', description, challenge(site, 'invalid_token', description));
    }
    if (result.kind === 'insufficient_scope') {
      const description = 'the openid scope is required';
      throw new OAuthError(403, result.kind, description, challenge(site, result.kind, description, 'openid'));
    }
    void reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(result.claims));
  }

  #token(site: SiteRecord, authorization: string | undefined, fromBody: string | undefined): string {
    if (authorization !== undefined && fromBody !== undefined) {
      throw new OAuthError(400, 'invalid_request', 'the token was sent twice', challenge(site, 'invalid_request'));
    }
    const token = fromBody ?? BEARER.exec(authorization ?? '')?.[1];
    if (token !== undefined) return token;
    const malformed = authorization !== undefined;
    const description = malformed ? 'the Authorization header is malformed' : 'an access token is required';
    throw new OAuthError(
      401,
      'invalid_token',
      description,
      challenge(site, ...(malformed ? ['invalid_token', description] : [])),
    );
  }
}
