import { phrase, say } from '@lyceum/messages';
import { linkedPage } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html, isLoopbackHost } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { Site, ToolDescription } from '@lyceum/contracts';
import { FULL_LIST } from '#src/catalog/listing.policy.js';
import { clientGuides, endpointOf } from './clients.policy.js';
import type { ClientGuide } from './clients.policy.js';

type Tool = Pick<ToolDescription, 'name' | 'title' | 'description' | 'audience' | 'scopes'>;

const copy = ({ title, text }: ClientGuide['copies'][number]): Html =>
  html`<h3>${title}</h3>
    <pre data-copy>${text}</pre>`;

/** One application is open at a time: the browser closes the others of the same name, without a script. */
function guide({ name, steps, link: opener, copies }: ClientGuide, index: number): Html {
  return html`<details class="item" name="application" ${index === 0 && html`open`}>
    <summary><h2>${name}</h2></summary>
    ${steps.map((step) => html`<p>${step}</p>`)}
    ${opener !== undefined && html`<p class="actions"><a class="button" href="${opener.href}">${opener.text}</a></p>`}
    ${copies.map(copy)}
  </details>`;
}

/** The heading stands beside the marker of its summary. */
const STYLE = 'summary{cursor:pointer}summary h2{display:inline}';

/** The first sentence of a description. */
const gist = (text: string): string => /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

const row = ({ name, title, description }: Tool): Html =>
  html`<dt><code>${name}</code></dt>
    <dd lang="en"><strong>${title}</strong><br />${gist(description)}</dd>`;

function toolSection(tools: readonly Tool[]): Html {
  const open = tools.filter(({ audience, scopes }) => audience === 'public' && scopes.length === 0);
  const count = (audience: Tool['audience']): number => tools.filter((tool) => tool.audience === audience).length;
  const counts = { open: open.length, member: count('member'), operator: count('operator'), most: FULL_LIST };
  return html`<h2>${say('connect.tools')}</h2>
    <p>${say('connect.tools_text', counts)}</p>
    <dl>${open.map(row)}</dl>`;
}

function localNotice({ base_url }: Site, guides: readonly ClientGuide[]): Html | false {
  if (!isLoopbackHost(new URL(base_url).hostname)) return false;
  const [one = '', other = ''] = guides.filter(({ fromItsServers }) => fromItsServers).map(({ name }) => name);
  return html`<p class="notice">${say('connect.local', { one, other })}</p>`;
}

const link = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`;

const switchedOff = (): Html =>
  html`<p class="notice">${phrase('connect.off', { admin: link('/admin', say('connect.admin')) })}</p>`;

const further = () => ({
  guides: link('/docs/guides', say('connect.guides')),
  authentication: link('/auth.md', say('connect.authentication')),
  index: link('/llms.txt', 'llms.txt'),
});

/** How to connect applications to the tools of a site. */
export function connectPage(site: Site, tools: readonly Tool[]): Page {
  const guides = clientGuides(site);
  const name = html`<bdi>${site.name}</bdi>`;
  const body = html`<h1>${phrase('connect.heading', { site: name })}</h1>
    <p class="lead">${say('connect.lead')}</p>
    <pre data-copy>${endpointOf(site)}</pre>
    <p>${phrase('connect.registers', { account: link('/account', say('connect.account')) })}</p>
    ${site.mcp_connections === false && switchedOff()} ${localNotice(site, guides)} ${guides.map(guide)}
    ${toolSection(tools)}
    <p>${phrase('connect.developers', further())}</p>`;
  return linkedPage(site, { title: say('connect.title'), body, width: 'wide', style: STYLE });
}
