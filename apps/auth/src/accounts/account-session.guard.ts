import { Injectable } from '@nestjs/common';
import { actAs } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '#src/edge/edge.hook.js';
import { readAsMember } from '#src/edge/reader.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import type { BrowserSession } from '#src/provider/authorization/browser-sessions.js';
import type { SiteRecord } from '#src/sites/site.js';
import { Notices } from './notices.js';
import type { Notice } from './notices.js';

/** The session of a visitor of the account or the admin area. */
export interface AccountContext {
  readonly site: SiteRecord;
  readonly person: MemberOfSite;
  readonly session: BrowserSession;
  /** Proves that a form came from a page of this session. */
  readonly csrf: string;
  /** The change that this page reports. */
  readonly notice: Notice | undefined;
}

/** The purpose of the forms of a session. */
export const sessionPurpose = (uid: string): string => `session:${uid}`;

@Injectable()
export class AccountSessionGuard {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly people: PeopleService,
    private readonly csrfTokens: CsrfTokens,
    private readonly notices: Notices,
  ) {}

  /** Undefined without a session, and when the person is suspended. */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AccountContext | undefined> {
    const site = siteOf(request);
    const session = await this.sessions.of(request, reply, site);
    const person = session && (await this.people.atSite(session.person_id, site.site_id));
    if (session === undefined || person === undefined) return undefined;
    actAs({ site_id: site.site_id, member_id: person.member_id, client_id: null, via: 'page' });
    readAsMember(person);
    // A form redirects to the page that shows the notice.
    const notice = request.method === 'GET' ? this.notices.take(request, reply, { site, person }) : undefined;
    return { site, person, session, notice, csrf: this.csrfTokens.issue(sessionPurpose(session.uid)) };
  }

  /** Authenticates a submitted form. Returns undefined for a form of another session, too. */
  async authenticateForm(
    request: FastifyRequest,
    reply: FastifyReply,
    csrf: string | undefined,
  ): Promise<AccountContext | undefined> {
    const site = siteOf(request);
    const session = await this.sessions.of(request, reply, site);
    if (session === undefined || !this.csrfTokens.verify(site, request, sessionPurpose(session.uid), csrf))
      return undefined;
    return this.authenticate(request, reply);
  }
}
