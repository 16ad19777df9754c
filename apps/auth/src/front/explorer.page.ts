import { BROWSER_PAGES } from '@lyceum/docs';
import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { PageClient } from '#src/clients/page-client.policy.js';
import { EXPLORER } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import { applicationPage } from './application.page.js';
import { signInSection } from './sign-in.section.js';

/** GraphiQL for the member API. Its own words are in English. */
export function explorerPage(site: SiteRecord, client: PageClient | undefined): Page {
  const url = html`<code>${site.base_url}/member/graphql</code>`;
  const schema = html`<a href="/member/schema.graphql">schema.graphql</a>`;
  return applicationPage(site, {
    path: EXPLORER,
    title: say('front.explorer'),
    files: BROWSER_PAGES.explorer,
    fills: true,
    body: html`${signInSection(site, { page: 'explorer', client, scope: 'account:read' })}
      <main id="explorer">
        <div class="site-text">
          <h1>${say('front.explorer')}</h1>
          <p>${phrase('explorer.lead', { url, schema })}</p>
        </div>
      </main>`,
  });
}
