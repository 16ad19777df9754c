import { say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The same page for an unknown path and for a page that the visitor has no access to. */
export function notFoundPage(site: SiteRecord): Page {
  return page(site, {
    title: say('not_found.title'),
    status: 404,
    body: html`<h1>${say('not_found.title')}</h1>
      <p>${say('not_found.reason', { site: site.name })}</p>
      <ul>
        <li><a href="/">${site.name}</a></li>
        <li><a href="${ACCOUNT}">${say('not_found.account')}</a></li>
      </ul>`,
  });
}

/** Shown for the address of a form, which only its page can open. */
export function formAddressPage(site: SiteRecord): Page {
  const { headers, body } = notFoundPage(site);
  return { status: 405, headers: { ...headers, allow: 'POST' }, body };
}
