import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The page at the site's address, with links to its surfaces. */
export function landingPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Open API',
    body: html`<h1>${site.name}</h1>
      <p><a href="/account">Your account</a> shows your connected applications and signed-in browsers.</p>
      <p>Applications and agents can work with this site. Start with:</p>
      <h2>Signing in and getting a token</h2>
      <ul>
        <li><a href="${ENDPOINTS.guide}">Authentication guide</a>, for people and agents</li>
        <li><a href="${ENDPOINTS.authorizationServerMetadata}">Authorization server metadata</a></li>
        <li><a href="${ENDPOINTS.protectedResourceMetadata}">Protected resource metadata</a></li>
      </ul>
      <h2>Surfaces</h2>
      <ul>
        <li>Member API (GraphQL): <code>${site.base_url}/member/graphql</code></li>
        <li>Operator API: <code>${site.base_url}/api/v1</code>, described in <a href="/openapi.json">OpenAPI</a></li>
        <li>Tools (Model Context Protocol): <code>${site.base_url}/mcp</code></li>
      </ul>`,
  });
}
