import { BROWSER_PAGES } from '@lyceum/docs';
import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { PageClient } from '#src/clients/page-client.policy.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { EXPLORER, GUIDES_PATH, REFERENCE } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import { applicationPage } from './application.page.js';
import { signInSection } from './sign-in.section.js';

/** The operator API for people, from `/openapi.json`, which is in English. */
export function referencePage(site: SiteRecord, client: PageClient | undefined): Page {
  const url = html`<code>${site.base_url}/api/v1</code>`;
  const operations = html`<a href="/docs/operations">${say('reference.operations')}</a>`;
  const explorer = html`<a href="${EXPLORER}">${say('front.explorer')}</a>`;
  return applicationPage(site, {
    path: REFERENCE,
    title: say('front.reference'),
    files: BROWSER_PAGES.reference,
    body: html`${signInSection(site, { page: 'reference', client, scope: 'courses:read' })}
      <div id="reference">
        <main class="site-text">
          <h1>${say('front.reference')}</h1>
          <p>${phrase('reference.lead', { url })}</p>
          <ul>
            <li>${phrase('reference.operations_item', { link: operations })}</li>
            <li>${phrase('reference.openapi_item', { link: html`<a href="/openapi.json">openapi.json</a>` })}</li>
            <li><a href="${ENDPOINTS.guide}">${say('front.guide')}</a></li>
            <li><a href="${GUIDES_PATH}">${say('front.guides')}</a></li>
            <li><a href="/docs/errors">${say('reference.errors')}</a></li>
            <li>${phrase('reference.explorer_item', { link: explorer })}</li>
          </ul>
        </main>
      </div>`,
  });
}
