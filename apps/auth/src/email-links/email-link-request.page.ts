import { phrase, say } from '@lyceum/messages';
import { field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { EmailLinkPurpose } from './email-link.js';

export interface EmailLinkRequestError {
  readonly status: 403 | 422 | 429;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface EmailLinkRequestView {
  readonly purpose: EmailLinkPurpose;
  readonly action: string;
  /** The sign-in page. */
  readonly back: string;
  readonly csrf: string;
  readonly email: string;
  /** The name of the application that the person continues to. */
  readonly client: string | undefined;
  readonly error?: EmailLinkRequestError;
}

const WORDS = {
  sign_up: {
    title: 'sign_up.title',
    lead: 'sign_up.lead',
    back: 'sign_up.back',
    closed: 'sign_up.closed',
    reason: 'sign_up.closed_reason',
  },
  sign_in: {
    title: 'sign_in_link.title',
    lead: 'sign_in_link.lead',
    back: 'sign_in_link.back',
    closed: 'sign_in_link.closed',
    reason: 'sign_in_link.closed_reason',
  },
} as const satisfies Record<EmailLinkPurpose, object>;

export function emailLinkRequestPage(site: SiteRecord, view: EmailLinkRequestView): Page {
  const { action, back, client, csrf, email, error } = view;
  const words = WORDS[view.purpose];
  const title = say(words.title);
  const { retryAfter } = error ?? {};
  return page(site, {
    title,
    narrow: true,
    status: error?.status ?? 200,
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
    body: html`<h1>${title}</h1>
      ${
        client !== undefined &&
        html`<p class="lead">
          ${phrase('sign_in.to_continue', { client: html`<strong><bdi>${client}</bdi></strong>` })}
        </p>`
      }
      <p>${say(words.lead)}</p>
      <form method="post" action="${action}">
        ${hiddenFields({ csrf })}
        ${field({
          name: 'email',
          label: say('form.email'),
          type: 'email',
          value: email,
          autocomplete: 'email',
          error: error?.message,
          focus: true,
        })}
        <div class="actions"><button class="main" type="submit">${say('form.send_link')}</button></div>
      </form>
      <p class="end-links"><a href="${back}">${say(words.back)}</a></p>`,
  });
}

const sent = (purpose: EmailLinkPurpose, { name }: SiteRecord): Html | string =>
  purpose === 'sign_up' ? say('sign_up.sent') : phrase('sign_in_link.sent', { site: html`<bdi>${name}</bdi>` });

/** The same page for known and unknown addresses. */
export function emailLinkSentPage(
  site: SiteRecord,
  { purpose, again, back }: { readonly purpose: EmailLinkPurpose; readonly again: string; readonly back: string },
): Page {
  return page(site, {
    title: say('link.check_email'),
    narrow: true,
    body: html`<h1>${say('link.check_email')}</h1>
      <p>${sent(purpose, site)}</p>
      <p class="quiet">${say('link.no_email')}</p>
      <div class="actions">
        <a class="button" href="${again}">${say('link.send_another')}</a>
        <a class="button" href="${back}">${say('form.back_to_sign_in')}</a>
      </div>`,
  });
}

/** Shown where the site does not offer the link. */
export function emailLinkClosedPage(site: SiteRecord, purpose: EmailLinkPurpose, back: string): Page {
  const title = say(WORDS[purpose].closed);
  return page(site, {
    title,
    narrow: true,
    status: 404,
    body: html`<h1>${title}</h1>
      <p>${say(WORDS[purpose].reason)}</p>
      <div class="actions"><a class="button main" href="${back}">${say('sign_in.title')}</a></div>`,
  });
}
