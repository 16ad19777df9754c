import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ACCOUNT, CONNECT, EXPLORER, GUIDES_PATH, REFERENCE } from '#src/protocol/paths.js';
import { connectsTools } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

interface Call {
  readonly title: string;
  readonly command: string;
}

/** Calls that need no token: they work as they stand. */
const calls = ({ base_url }: SiteRecord): readonly Call[] => [
  { title: say('front.call_metadata'), command: `curl -s ${base_url}${ENDPOINTS.authorizationServerMetadata}` },
  {
    title: say('front.call_tool'),
    command: [
      `curl -s ${base_url}/mcp`,
      "-H 'Content-Type: application/json'",
      "-H 'Accept: application/json, text/event-stream'",
      `-d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browse_catalog","arguments":{}}}'`,
    ].join(' \\\n  '),
  },
  { title: say('front.call_schema'), command: `curl -s ${base_url}/member/schema.graphql` },
];

const call = ({ title, command }: Call): Html =>
  html`<h3>${title}</h3>
    <pre data-copy>${command}</pre>`;

const card = (href: string, title: string, text: string | Html): Html =>
  html`<li>
    <a href="${href}">${title}</a>
    <p>${text}</p>
  </li>`;

/** The page at the site's address: the reason for it, first calls, and links to all surfaces. */
export function landingPage(site: SiteRecord): Page {
  const { name } = site;
  const connectText = connectsTools(site) ? 'front.connect_text' : 'front.connect_text_public';
  const at = (path: string): Html => html`<code>${path}</code>`;
  const owner = html`<bdi>${name}</bdi>`;
  return page(site, {
    title: say('front.title'),
    wide: true,
    body: html`<h1>${phrase('front.heading', { site: owner })}</h1>
      <p class="lead">${say('front.lead')}</p>
      <div class="actions">
        <a class="button main" href="${REFERENCE}">${say('front.read_reference')}</a>
        <a class="button" href="${CONNECT}">${say('front.connect')}</a>
        <a class="button" href="${ACCOUNT}">${say('account.title')}</a>
      </div>
      <h2>${say('front.try')}</h2>
      <p>${say('front.no_token')}</p>
      ${calls(site).map(call)}
      <h2>${say('front.developers')}</h2>
      <ul class="cards">
        ${card(ENDPOINTS.guide, say('front.guide'), say('front.guide_text'))}
        ${card(REFERENCE, say('front.reference'), phrase('front.reference_text', { url: at('/api/v1') }))}
        ${card(GUIDES_PATH, say('front.guides'), say('front.guides_text'))}
        ${card(EXPLORER, say('front.explorer'), phrase('front.explorer_text', { url: at('/member/graphql') }))}
        ${card(CONNECT, say('front.connect'), phrase(connectText, { url: at('/mcp') }))}
        ${card('/openapi.json', say('front.openapi'), say('front.openapi_text'))}
        ${card('/member/schema.graphql', say('front.schema'), say('front.schema_text'))}
        ${card(ENDPOINTS.authorizationServerMetadata, say('front.metadata'), say('front.metadata_text'))}
        ${card(ENDPOINTS.agentIndex, 'llms.txt', say('front.llms_text'))}
      </ul>
      <h2>${phrase('front.people', { site: owner })}</h2>
      <ul class="cards">
        ${card(ACCOUNT, say('account.title'), say('front.account_text'))}
        ${card('/admin', say('account.admin'), say('front.admin_text'))}
      </ul>`,
  });
}
