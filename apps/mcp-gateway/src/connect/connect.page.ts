import { phrase, readerLanguage, say } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';
import type { Site, ToolDescription } from '@lyceum/contracts';
import { FULL_LIST } from '#src/catalog/listing.policy.js';
import { clientGuides, endpointOf } from './clients.policy.js';
import type { ClientGuide } from './clients.policy.js';

type Tool = Pick<ToolDescription, 'name' | 'title' | 'description' | 'audience' | 'scopes'>;

/** Paths of auth, which has the look of the site. */
const STYLE = '/account/style.css';
const SCRIPT = '/account/scripts/page.js';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The source expression of a file of the site. CSP cannot express hosts with brackets. */
function sourceOf({ base_url }: Site, path: string): string {
  const { origin, host } = new URL(base_url);
  return /^[a-z0-9._:-]+$/.test(host) ? `${origin}${path}` : "'self'";
}

export const pageHeaders = (site: Site): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${sourceOf(site, SCRIPT)}; style-src ${sourceOf(site, STYLE)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-language': readerLanguage(),
  // The address of the endpoint has another response for programs.
  vary: 'Accept, Accept-Language',
});

const copy = ({ title, text }: ClientGuide['copies'][number]): Html =>
  html`<h3>${title}</h3>
    <pre data-copy>${text}</pre>`;

function guide({ name, steps, link: opener, copies }: ClientGuide): Html {
  return html`<section class="item">
    <h2>${name}</h2>
    ${steps.map((step) => html`<p>${step}</p>`)}
    ${opener !== undefined && html`<p class="actions"><a class="button" href="${opener.href}">${opener.text}</a></p>`}
    ${copies.map(copy)}
  </section>`;
}

/** The first sentence of a description. */
const gist = (text: string): string => /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

const row = ({ name, title, description }: Tool): Html =>
  html`<tr>
    <td><code>${name}</code></td>
    <td lang="en"><strong>${title}</strong><br />${gist(description)}</td>
  </tr>`;

function toolSection(tools: readonly Tool[]): Html {
  const open = tools.filter(({ audience, scopes }) => audience === 'public' && scopes.length === 0);
  const count = (audience: Tool['audience']): number => tools.filter((tool) => tool.audience === audience).length;
  const counts = { open: open.length, member: count('member'), operator: count('operator'), most: FULL_LIST };
  return html`<h2>${say('connect.tools')}</h2>
    <p>${say('connect.tools_text', counts)}</p>
    <table>
      <thead>
        <tr>
          <th>${say('connect.tool')}</th>
          <th>${say('connect.use')}</th>
        </tr>
      </thead>
      <tbody>
        ${open.map(row)}
      </tbody>
    </table>`;
}

function localNotice({ base_url }: Site, guides: readonly ClientGuide[]): Html | false {
  if (!LOOPBACK.has(new URL(base_url).hostname)) return false;
  const [one = '', other = ''] = guides.filter(({ fromItsServers }) => fromItsServers).map(({ name }) => name);
  return html`<p class="notice">${say('connect.local', { one, other })}</p>`;
}

const link = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`;

const switchedOff = (): Html =>
  html`<p class="notice">${phrase('connect.off', { admin: link('/admin', say('connect.admin')) })}</p>`;

/** The words of the buttons that the script adds. */
const scriptWords = (): Html => html` data-copy-word="${say('script.copy')}" data-copied="${say('script.copied')}"`;

const further = () => ({
  guides: link('/docs/guides', say('connect.guides')),
  authentication: link('/auth.md', say('connect.authentication')),
  index: link('/llms.txt', 'llms.txt'),
});

/** How to connect applications to the tools of a site. */
export function connectPage(site: Site, tools: readonly Tool[]): string {
  const guides = clientGuides(site);
  const name = html`<bdi>${site.name}</bdi>`;
  return html`<!doctype html>
    <html lang="${readerLanguage()}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLE}" />
        <title>${say('connect.title')} · ${site.name}</title>
        <script src="${SCRIPT}" defer></script>
      </head>
      <body class="wide" ${scriptWords()}>
        <header>
          <p class="initial" data-initial="${(Array.from(site.name.trim())[0] ?? '').toUpperCase()}">
            <a href="/"><bdi>${site.name}</bdi></a>
          </p>
        </header>
        <main>
          <h1>${phrase('connect.heading', { site: name })}</h1>
          <p class="lead">${say('connect.lead')}</p>
          <pre data-copy>${endpointOf(site)}</pre>
          <p>${phrase('connect.registers', { account: link('/account', say('connect.account')) })}</p>
          ${site.mcp_connections === false && switchedOff()} ${localNotice(site, guides)} ${guides.map(guide)}
          ${toolSection(tools)}
          <p>${phrase('connect.developers', further())}</p>
        </main>
      </body>
    </html>`.text;
}
