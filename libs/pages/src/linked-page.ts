import { hash } from 'node:crypto';
import { readerLanguage } from '@lyceum/messages';
import type { Language } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';
import { documentOf, isEnhanced, nameTile } from './document.js';
import type { Width } from './document.js';
import { hasPlainHost } from './page.js';
import type { Page } from './page.js';

/** Paths of auth, which serves the style of the site and the script of all pages. */
export const LOOK = { style: '/account/style.css', script: '/account/scripts/page.js' } as const;

/** The site of a page, as services without its appearance know it. */
export interface LinkedSite {
  readonly name: string;
  readonly base_url: string;
}

export interface LinkedContent {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  readonly width?: Width;
  /** Elements of the head, such as the Markdown of the same page. */
  readonly head?: Html;
  /** Rules beside those of the site. Constant text of the code. */
  readonly style?: string;
  /** True if the page has a form, which is sent to the site itself. */
  readonly hasForm?: boolean;
  /** The language of the text, if it does not follow the reader. */
  readonly language?: Language;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The source expression of a file of the site. CSP cannot express hosts with brackets. */
function sourceOf({ base_url }: LinkedSite, path: string): string {
  const url = new URL(base_url);
  return hasPlainHost(url) ? `${url.origin}${path}` : "'self'";
}

function policyOf(site: LinkedSite, { body, style, hasForm }: LinkedContent): string {
  const rules = style === undefined ? '' : ` 'sha256-${hash('sha256', style, 'base64')}'`;
  const scripts = isEnhanced(body) ? ` script-src ${sourceOf(site, LOOK.script)};` : '';
  const forms = hasForm === true ? "'self'" : "'none'";
  return `default-src 'none';${scripts} style-src ${sourceOf(site, LOOK.style)}${rules}; img-src data:; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`;
}

/** A page of a service that does not know the appearance of the site: its style comes from auth by a link. */
export function linkedPage(site: LinkedSite, content: LinkedContent): Page {
  const { body, style, width, language = readerLanguage() } = content;
  const head = html`<meta name="robots" content="noindex" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${LOOK.style}" />
    ${content.head} ${style !== undefined && new Html(`<style>${style}</style>`)}
    ${isEnhanced(body) && html`<script src="${LOOK.script}" defer></script>`}`;
  const header = nameTile(site.name, html`<a href="/"><bdi>${site.name}</bdi></a>`);
  return {
    status: content.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(site, content),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-language': language,
      // The address can have another response for programs.
      vary: 'Accept, Accept-Language',
      ...content.headers,
    },
    body: documentOf({ title: `${content.title} · ${site.name}`, head, header, body, width, language }),
  };
}
