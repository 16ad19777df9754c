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

  /** False when the browser says that a page of another origin sent the form. */
  isOfSite({ base_url }: SiteRecord, { headers }: FastifyRequest): boolean {
    const { origin = base_url, 'sec-fetch-site': fetchSite = 'same-origin' } = headers;
    return origin === base_url && fetchSite === 'same-origin';
  }

  verify(site: SiteRecord, request: FastifyRequest, purpose: string, token: string | undefined): boolean {
    if (!this.isOfSite(site, request)) return false;
    const given = Buffer.from(token ?? '', 'base64url');
    return this.settings.values.COOKIE_KEYS.some((key) => {
      const expected = mac(key, purpose);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}
