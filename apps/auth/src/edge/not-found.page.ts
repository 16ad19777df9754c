import { say } from '@lyceum/messages';
import { notFoundBody } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The same page for an unknown path and for a page that the visitor has no access to. */
export const notFoundPage = (site: SiteRecord): Page =>
  page(site, { title: say('not_found.title'), status: 404, body: notFoundBody(site) });

/** Shown for every page of the admin area to a person without a role for the area. */
export function noRolePage(site: SiteRecord, email: string): Page {
  const title = say('no_role.title');
  const body = html`<h1>${title}</h1>
    <p>${say('no_role.reason', { email, site: site.name })}</p>
    <div class="actions"><a class="button" href="${ACCOUNT}">${say('not_found.account')}</a></div>`;
  return page(site, { title, status: 404, body });
}

/** Shown for the address of a form, which only its page can open. */
export function formAddressPage(site: SiteRecord): Page {
  const { headers, body } = notFoundPage(site);
  return { status: 405, headers: { ...headers, allow: 'POST' }, body };
}
