import type { BrowserPage } from '@lyceum/docs';
import { readerLanguage, say } from '@lyceum/messages';
import { DEFAULT_THEME, languageHeaders, themeStyle } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { Html, html } from '@lyceum/platform';
import type { SiteRecord } from '#src/sites/site.js';
import { ASSETS } from '#src/protocol/paths.js';
import { developerLinks } from './developer-links.js';

/** The bar above an application. The style has no rules for elements, which would reach into the application. */
const STYLE = `
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font)}
.site-bar{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;min-height:3.5rem;box-sizing:border-box;padding:.25rem 1.25rem;border-block-end:1px solid var(--edge);background:var(--paper);font-size:.875rem}
.site-bar a,.site-note a,.site-text a{color:var(--accent);text-underline-offset:.15em}
.site-bar a{text-decoration:none}
.site-bar a[aria-current]{color:inherit;font-weight:600}
.site-bar nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.site-name{font-weight:700}
.site-note{padding:.5rem 1.25rem;border-block-end:1px solid var(--edge);background:var(--paper);font-size:.875rem;overflow-wrap:anywhere}
.site-note p{max-width:48rem}
.site-note form,.site-state,.site-fields{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem .75rem;margin:0}
.site-note summary{line-height:2.5rem;cursor:pointer}
.site-note details[open]{flex-basis:100%}
.site-note [hidden]{display:none}
.site-state:not(:has(:not(:empty):not([hidden]))){display:none}
.site-note label{display:grid;gap:.125rem;font-weight:600}
.site-note input,.site-note select,.site-note button{min-height:2.5rem;box-sizing:border-box;padding:.25rem .75rem;border:1px solid var(--line);border-radius:.375rem;background:var(--field);color:inherit;font:inherit}
.site-note input{width:min(24rem,80vw);font-weight:400}
.site-state p{margin:0}
.site-note button{font-weight:600;cursor:pointer}
.site-note button[type=submit]{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.site-bar :focus-visible,.site-note :focus-visible,.site-text :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.site-text{max-width:44rem;margin:0 auto;padding:2rem 1.25rem}
@media (max-width:48rem){.site-note label{flex:1 1 100%}.site-note input{width:100%}}
.site-application{display:grid;grid-template:auto auto minmax(32rem,1fr)/minmax(0,1fr);height:100vh}
`;

interface ApplicationContent {
  readonly path: string;
  readonly title: string;
  readonly files: BrowserPage;
  /** Fills the window, so that parts of the application scroll and the page does not. */
  readonly fills?: true;
  readonly body: Html;
}

const assetPath = (name: string): string => `${ASSETS}/${name}`;

/** The source expression of the files. CSP cannot express hosts with brackets. */
function assetSource(baseUrl: string): string {
  const { origin, host } = new URL(baseUrl);
  return /^[a-z0-9._:-]+$/.test(host) ? `${origin}${ASSETS}/` : "'self'";
}

/**
 * Inline styles are allowed here: dialogs and editors of both packages insert `<style>` with computed text, which no
 * hash names, and toasts of the reference take no nonce. Where those are allowed, a rule for attributes adds nothing.
 * Inline scripts are not: only the files of this release run, and they reach no other origin.
 */
const policyOf = ({ base_url }: SiteRecord): string =>
  `default-src 'none'; script-src ${assetSource(base_url)}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  `font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A page that a script of a package fills. Without scripts it has the links of its body. */
export function applicationPage(site: SiteRecord, content: ApplicationContent): Page {
  const { path, title, files, fills, body } = content;
  const theme = DEFAULT_THEME + themeStyle(site.appearance.theme);
  const language = readerLanguage();
  const links = developerLinks().map(
    ([to, text]) => html`<a href="${to}" ${to === path && new Html(' aria-current="page"')}>${text}</a>`,
  );
  const modules = files.loads.filter((name) => name !== files.script && !files.styles.includes(name));
  const document = html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} · ${site.name}</title>
        ${new Html(`<style>${theme}${STYLE}</style>`)}
        ${files.styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}" />`)}
        ${modules.map((name) => html`<link rel="modulepreload" href="${assetPath(name)}" />`)}
        <script type="module" src="${assetPath(files.script)}"></script>
      </head>
      <body${fills === true && new Html(' class="site-application"')}>
        <header class="site-bar">
          <a class="site-name" href="/"><bdi>${site.name}</bdi></a>
          <nav aria-label="${say('front.developers')}">${links}</nav>
        </header>
        ${body}
      </body>
    </html>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(site),
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      ...languageHeaders(language),
    },
    body: document.text,
  };
}
