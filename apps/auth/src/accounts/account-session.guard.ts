import { Injectable } from '@nestjs/common';
import { actAs } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { readAsMember } from '#src/edge/reader.js';
import type { Upload } from '#src/edge/upload.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { staleFormPage } from '#src/pages/error.page.js';
import { send } from '#src/pages/page.js';
import type { Shown } from '#src/pages/page.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import type { BrowserSession } from '#src/provider/authorization/browser-sessions.js';
import { RepeatedForms } from '#src/repeated-forms/repeated-forms.js';
import type { SiteRecord } from '#src/sites/site.js';
import { Notices } from '#src/notices/notices.js';
import type { Notice } from '#src/notices/notices.js';
import { signInBefore } from './sign-in-target.policy.js';

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

/** Makes the response to a visitor with a session. `Sent`: the form. */
export type PageWork<Sent extends unknown[] = []> = (context: AccountContext, ...sent: Sent) => Shown | Promise<Shown>;

/** The purpose of the forms of a session. */
export const sessionPurpose = (uid: string): string => `session:${uid}`;

/** Guards the pages of signed-in people. */
@Injectable()
export class AccountSessionGuard {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly people: PeopleService,
    private readonly csrfTokens: CsrfTokens,
    private readonly notices: Notices,
    private readonly repeats: RepeatedForms,
  ) {}

  /** Sends a page. Without a session the visitor signs in first, then continues at `next`. */
  async show(request: FastifyRequest, reply: FastifyReply, work: PageWork, next = request.url): Promise<void> {
    const context = await this.#authenticate(request, reply);
    send(reply, context === undefined ? signInBefore(next) : await work(context));
  }

  /** Sends the response to a form. */
  async submit(request: FastifyRequest, reply: FastifyReply, work: PageWork<[URLSearchParams]>): Promise<void> {
    const form = await readForm(request);
    const context = await this.authenticateForm(request, reply, single(form, 'csrf'));
    send(reply, context === undefined ? staleFormPage(siteOf(request)) : await work(context, form));
  }

  /** Sends the response to a form that can end its own session. A second click gets the response to the first. */
  async submitOnce(request: FastifyRequest, reply: FastifyReply, work: PageWork<[URLSearchParams]>): Promise<void> {
    const form = await readForm(request);
    const submission = { request, reply, form };
    const context = await this.authenticateForm(request, reply, single(form, 'csrf'));
    const shown =
      context === undefined
        ? await this.repeats.find(submission)
        : await this.repeats.once(submission, async () => work(context, form));
    send(reply, shown ?? staleFormPage(siteOf(request)));
  }

  /**
   * Sends the response to a form with files. Only a visitor with a session may send a large body. A form that `read`
   * returns undefined for is not checked: `work` must change nothing.
   */
  async submitFiles(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (visitor: AccountContext) => Promise<Upload | undefined>,
    work: PageWork<[Upload | undefined]>,
  ): Promise<void> {
    const visitor = await this.#authenticate(request, reply);
    if (visitor === undefined) return send(reply, staleFormPage(siteOf(request)));
    const form = await read(visitor);
    if (form === undefined) return send(reply, await work(visitor, undefined));
    const context = await this.authenticateForm(request, reply, form.text('csrf'));
    send(reply, context === undefined ? staleFormPage(siteOf(request)) : await work(context, form));
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
    return this.#authenticate(request, reply);
  }

  /** Undefined without a session, and when the person is suspended. */
  async #authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AccountContext | undefined> {
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
}
