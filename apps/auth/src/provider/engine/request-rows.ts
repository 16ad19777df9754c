import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientsService } from '#src/clients/clients.service.js';
import { readCookie } from '#src/edge/cookies.js';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from '../browser-state/browser.repository.js';
import { RESUME_COOKIE, sessionCookie } from '../browser-state/session-cookie.js';
import type { KnownRows } from './known-rows.js';

/**
 * Reads the rows of a request by one statement before the engine asks for them one by one. The engine asks only for the
 * ids of cookies that it has verified, so a row of a forged cookie is not used.
 */
@Injectable()
export class RequestRows {
  constructor(
    private readonly clients: ClientsService,
    private readonly browser: BrowserRepository,
  ) {}

  /** The client, and the session of the browser if it has one. */
  async ofAuthorization(request: FastifyRequest, site: SiteRecord, clientId: string): Promise<KnownRows> {
    const id = readCookie(request, sessionCookie(site).name);
    if (id === undefined) {
      const client = await this.clients.atSite(clientId, site.site_id);
      return client === undefined ? {} : { client };
    }
    const { row: client, session } = await this.browser.clientAndSession(site.site_id, clientId, id);
    return { ...(client && { client }), ...(session && { session: { ...session, id } }) };
  }

  /** The interaction that continues, and the session. Nothing unless the browser has the cookies of both. */
  async ofContinuation(request: FastifyRequest, site: SiteRecord): Promise<KnownRows> {
    const { uid } = request.params as { uid?: string };
    const id = readCookie(request, sessionCookie(site).name);
    if (uid === undefined || id === undefined || readCookie(request, RESUME_COOKIE) !== uid) return {};
    const found = await this.browser.resumedBySession(site.site_id, uid, id);
    if (found === undefined) return {};
    const { row, session } = found;
    return { interaction: { ...row, id: uid }, ...(session && { session: { ...session, id } }) };
  }
}
