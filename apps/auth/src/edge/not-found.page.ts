import { say } from '@lyceum/messages';
import { notFoundBody } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The same page for an unknown path and for a page that the visitor has no access to. */
export const notFoundPage = (site: SiteRecord): Page =>
  page(site, { title: say('not_found.title'), status: 404, body: notFoundBody(site) });

/** Shown for the address of a form, which only its page can open. */
export function formAddressPage(site: SiteRecord): Page {
  const { headers, body } = notFoundPage(site);
  return { status: 405, headers: { ...headers, allow: 'POST' }, body };
}
