import { Injectable } from '@nestjs/common';
import { readerLanguage, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { sourceOf } from '@lyceum/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ACCOUNT, SIGN_IN_LINK, SIGN_UP } from '#src/protocol/paths.js';
import { KnownDevices } from '#src/sign-ins/known-devices.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { EmailLinkPurpose } from './email-link.js';
import { EmailLinkLimits } from './email-link-limits.js';
import { EmailLinkRequestsQueue } from './email-link-requests.queue.js';
import { emailLinkClosedPage, emailLinkRequestPage, emailLinkSentPage } from './email-link-request.page.js';
import type { EmailLinkRequestError } from './email-link-request.page.js';
import { offers } from './offered.policy.js';
import { rememberBrowser, requestingBrowser, secretOf } from './requesting-browser.js';

/** The place of a form: the account, or an interaction of the browser. */
export interface EmailLinkPlace {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: SiteRecord;
  readonly interaction?: { readonly uid: string; readonly client: string; readonly email: string };
}

const LAST: Readonly<Record<EmailLinkPurpose, string>> = { sign_up: SIGN_UP, sign_in: SIGN_IN_LINK };
const baseOf = (uid: string | undefined): string => (uid === undefined ? ACCOUNT : `${ENDPOINTS.interaction}/${uid}`);
const pathOf = (uid: string | undefined, purpose: EmailLinkPurpose): string => `${baseOf(uid)}/${LAST[purpose]}`;

/** A form is valid only in the browser that it was shown in: another site cannot request a link into a browser. */
const subjectOf = (secret: string): string => `email-link:${secret}`;

/** The purpose of the form at the path of the request. */
export function purposeOf({ url }: FastifyRequest): EmailLinkPurpose {
  const segments = (url.split('?', 1)[0] ?? '').split('/');
  return segments.includes(SIGN_IN_LINK) ? 'sign_in' : 'sign_up';
}

/** The sign-in page of the place that a browser came from. */
export const signInPageOf = (uid: string | undefined): string => `${baseOf(uid)}/sign-in`;

/** Forms that request a link. Neither the response nor its time reveals whether the account exists. */
@Injectable()
export class EmailLinkForms {
  constructor(
    private readonly requests: EmailLinkRequestsQueue,
    private readonly limits: EmailLinkLimits,
    private readonly csrfTokens: CsrfTokens,
    private readonly devices: KnownDevices,
  ) {}

  show(place: EmailLinkPlace, email?: string, error?: EmailLinkRequestError): Page {
    const { interaction, request, reply, site } = place;
    const [purpose, uid] = [purposeOf(request), interaction?.uid];
    if (!offers(site, purpose)) return emailLinkClosedPage(site, purpose, signInPageOf(uid));
    return emailLinkRequestPage(site, {
      purpose,
      action: pathOf(uid, purpose),
      back: signInPageOf(uid),
      csrf: this.csrfTokens.issue(uid ?? subjectOf(secretOf(request, reply, site))),
      email: email ?? interaction?.email ?? '',
      client: interaction?.client,
      ...(error === undefined ? {} : { error }),
    });
  }

  /** The path of the page after the form, or the form with an error. */
  async submit(place: EmailLinkPlace): Promise<Page | string> {
    const { request, reply, site, interaction } = place;
    const [purpose, uid] = [purposeOf(request), interaction?.uid];
    const form = await readForm(request);
    const email = single(form, 'email') ?? '';
    if (!offers(site, purpose)) return this.show(place);
    const refused = await this.#refusal(place, single(form, 'csrf'), email);
    if (refused !== undefined) return this.show(place, email, refused);
    const browser_hash = rememberBrowser(request, reply, site, uid);
    await this.#queue(site.site_id, purpose, email, browser_hash);
    return `${pathOf(undefined, purpose)}/sent`;
  }

  sent({ request, site }: EmailLinkPlace): Page {
    const [purpose, uid] = [purposeOf(request), requestingBrowser(request)?.uid];
    return emailLinkSentPage(site, { purpose, again: pathOf(uid, purpose), back: signInPageOf(uid) });
  }

  async #refusal(
    { request, site, interaction }: EmailLinkPlace,
    csrf: string | undefined,
    email: string,
  ): Promise<EmailLinkRequestError | undefined> {
    const secret = requestingBrowser(request)?.secret;
    const subject = interaction?.uid ?? (secret === undefined ? undefined : subjectOf(secret));
    if (subject === undefined || !this.csrfTokens.verify(site, request, subject, csrf)) {
      return { status: 403, message: say('form.forged') };
    }
    const account = canonicalEmail(email);
    if (account === undefined) return { status: 422, message: say('form.enter_email') };
    const device = this.devices.of(request, site, account);
    const wanted = { site_id: site.site_id, source: sourceOf(request.ip), account, device };
    const retryAfter = await this.limits.secondsToWait(wanted);
    if (retryAfter === undefined) return undefined;
    return { status: 429, message: say('form.too_many_links'), retryAfter };
  }

  /** Does not look for the account: the duration would reveal it. */
  async #queue(site_id: string, purpose: EmailLinkPurpose, email: string, browser_hash: Buffer): Promise<void> {
    const address = canonicalEmail(email) ?? '';
    if (!(await this.limits.mayMail(site_id, address))) return;
    await this.requests.add({ site_id, purpose, address, browser_hash, language: readerLanguage() });
  }
}
