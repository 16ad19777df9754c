import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import type { SiteRecord } from '#src/sites/site.js';

const mac = (key: string, purpose: string): Buffer => createHmac('sha256', key).update(`form:${purpose}`).digest();

/**
 * Guards forms against cross-site posts: a token that is bound to the purpose of the form, and the origin that the
 * browser sends. Both must be right (and the SameSite=Lax cookie of the interaction too).
 */
@Injectable()
export class CsrfTokens {
  constructor(private readonly settings: AuthSettings) {}

  issue(purpose: string): string {
    const [newest = ''] = this.settings.values.COOKIE_KEYS;
    return mac(newest, purpose).toString('base64url');
  }

  verify(site: SiteRecord, request: FastifyRequest, purpose: string, token: string | undefined): boolean {
    const { origin, 'sec-fetch-site': fetchSite } = request.headers;
    if (origin !== undefined && origin !== site.base_url) return false;
    if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
    const given = Buffer.from(token ?? '', 'base64url');
    return this.settings.values.COOKIE_KEYS.some((key) => {
      const expected = mac(key, purpose);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}
