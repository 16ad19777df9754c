import { say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { linkedPage } from './linked-page.js';
import type { LinkedSite } from './linked-page.js';
import type { Page } from './page.js';

/** The text for an unknown path, and for a page that the visitor has no access to. */
export const notFoundBody = ({ name }: Pick<LinkedSite, 'name'>): Html =>
  html`<h1>${say('not_found.title')}</h1>
    <p>${say('not_found.reason', { site: name })}</p>
    <ul>
      <li><a href="/">${name}</a></li>
      <li><a href="/account">${say('not_found.account')}</a></li>
    </ul>`;

/** For services that do not know the appearance of the site. */
export const notFoundPage = (site: LinkedSite): Page =>
  linkedPage(site, { title: say('not_found.title'), status: 404, body: notFoundBody(site) });
