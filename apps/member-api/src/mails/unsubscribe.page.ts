import { phrase, say } from '@lyceum/messages';
import { linkedPage } from '@lyceum/pages';
import type { LinkedSite, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

function mailPage(site: LinkedSite, text: Html, status = 200): Page {
  const title = say('unsubscribe.title', { site: site.name });
  return linkedPage(site, {
    title,
    status,
    body: html`<h1>${title}</h1>
      ${text}`,
    width: 'narrow',
    hasForm: true,
    // The URL contains the token.
    headers: { 'referrer-policy': 'no-referrer', vary: 'Accept-Language' },
  });
}

const toSettings = (): Html =>
  html`<p class="quiet">
    ${phrase('unsubscribe.settings', { account: html`<a href="/account">${say('unsubscribe.account')}</a>` })}
  </p>`;

const form = (query: string, button: Html): Html =>
  html`<form method="post" action="?${query}">
    <div class="actions">${button}</div>
  </form>`;

/** A confirmation page, because mail scanners follow links (RFC 8058 §1). */
export function askPage(site: LinkedSite, token: string): Page {
  const button = html`<button class="main" type="submit">${say('unsubscribe.button')}</button>`;
  const query = `token=${encodeURIComponent(token)}`;
  return mailPage(
    site,
    html`<p>${say('unsubscribe.question')}</p>
      ${form(query, button)} ${toSettings()}`,
  );
}

export function donePage(site: LinkedSite, undo: string): Page {
  const button = html`<button type="submit">${say('unsubscribe.undo')}</button>`;
  const text = html`<p class="done" role="status">${say('unsubscribe.done')}</p>`;
  return mailPage(site, html`${text} ${form(`undo=${encodeURIComponent(undo)}`, button)} ${toSettings()}`);
}

export const undonePage = (site: LinkedSite): Page =>
  mailPage(
    site,
    html`<p class="done" role="status">${say('unsubscribe.undone')}</p>
      ${toSettings()}`,
  );

export const expiredPage = (site: LinkedSite): Page =>
  mailPage(
    site,
    html`<p>${say('unsubscribe.expired')}</p>
      ${toSettings()}`,
    404,
  );
