import { hash } from 'node:crypto';
import type { Theme } from '@lyceum/contracts';
import { readerLanguage } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';
import { documentOf, isEnhanced, languageHeaders, nameTile } from './document.js';
import { STYLE } from './style.js';
import { themeStyle } from './theme.policy.js';

/** A script of the service, bound to its content (Subresource Integrity): browsers run exactly this script. */
export interface Script {
  readonly path: string;
  readonly integrity: string;
}

/** The site of a page, as its own service knows it. */
export interface PageSite {
  readonly name: string;
  readonly appearance: {
    readonly theme: Theme;
    /** An https URL, the path of a file at the site, or a `data:` URL in a preview. */
    readonly logo_url: string | null;
    readonly favicon_url: string | null;
  };
}

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Wider, for tables. */
  readonly wide?: boolean;
  /** One form with buttons of full width, such as a sign-in. */
  readonly narrow?: boolean;
  /**
   * A form of the page can end at an application. Browsers apply `form-action` to each redirect after a form, also to
   * those that the application makes to other origins, which the site cannot know (ADR 199).
   */
  readonly leadsToApplication?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shows an image of the service itself. */
  readonly ownImage?: boolean;
  /** The https URL of an image elsewhere that the page shows. */
  readonly picture?: string | null;
  /** A script that the page needs. The only further one enhances fields and copies, where the page has them. */
  readonly script?: Script | undefined;
}

/**
 * A host that a header can contain: URLs allow `;` and `,` in hosts, which end a directive and a policy, and CSP has no
 * IPv6.
 */
export const hasPlainHost = ({ host }: URL): boolean => /^[a-z0-9._:-]+$/.test(host);

interface Picture {
  readonly href: string;
  /** Source expression. */
  readonly source: string;
}

/** The path of a file of the site, which admin-api serves. */
const FILE_PATH = /^\/files\/public\/[0-9a-f-]{36}$/;

/** An image of a preview, which no address has yet. */
const INLINE = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/** An image that a page may show. */
function pictureAt(text: string | null): Picture | undefined {
  if (text !== null && FILE_PATH.test(text)) return { href: text, source: "'self'" };
  if (text !== null && INLINE.test(text)) return { href: text, source: 'data:' };
  const url = URL.parse(text ?? '');
  return url?.protocol === 'https:' && hasPlainHost(url) ? { href: url.href, source: url.origin } : undefined;
}

/** `style`: the source expression for exactly this style (CSP Level 3 §2.3.1). */
function securityHeaders(
  { logo_url, favicon_url }: PageSite['appearance'],
  style: string,
  { leadsToApplication, ownImage, picture = null }: PageContent,
  scripts: readonly Script[],
): Record<string, string> {
  const forms = leadsToApplication === true ? '' : "form-action 'self'; ";
  const pictures = [logo_url, favicon_url, picture].map((text) => pictureAt(text)?.source);
  const images = [...new Set(['data:', ...pictures, ownImage === true && "'self'"])].filter(Boolean).join(' ');
  const sources = scripts.map(({ integrity }) => `'${integrity}'`).join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    // The empty icon prevents a request for one, which the policy would report.
    'content-security-policy': `default-src 'none'; ${sources && `script-src ${sources}; `}img-src ${images}; style-src ${style}; ${forms}base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not `no-referrer`: browsers would send `Origin: null` with the forms, and the origin could not be checked.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** The logo box and the name reserve the space before the image loads, and when it fails. */
function brand({ name, appearance: { logo_url } }: PageSite): Html {
  const logo = pictureAt(logo_url);
  return logo === undefined
    ? nameTile(name, html`<bdi>${name}</bdi>`)
    : html`<p><img class="logo" src="${logo.href}" alt="${name}" /></p>`;
}

/** The scripts of a page: the one that it needs, and the one that enhances fields and copies where it has them. */
const scriptsOf = ({ script, body }: PageContent, enhancement: Script): Script[] =>
  [script, isEnhanced(body) ? enhancement : undefined].filter((one) => one !== undefined);

interface Style {
  readonly text: string;
  /** The source expression for exactly this style (CSP Level 3 §2.3.1). */
  readonly source: string;
}

/** Without it a page takes two thirds of its time for the contrasts of its colors. A changed theme is a new object. */
const styles = new WeakMap<Theme, Style>();

function styleOf(theme: Theme): Style {
  const known = styles.get(theme);
  if (known !== undefined) return known;
  const text = STYLE + themeStyle(theme);
  const style = { text, source: `'sha256-${hash('sha256', text, 'base64')}'` };
  styles.set(theme, style);
  return style;
}

/**
 * A page for people, in the language of the reader. It works without scripts and runs only the named ones.
 * `enhancement` adds buttons to fields and copies.
 */
export function renderPage(site: PageSite, content: PageContent, enhancement: Script): Page {
  const { appearance } = site;
  const scripts = scriptsOf(content, enhancement);
  const style = styleOf(appearance.theme);
  const head = html`<meta name="robots" content="noindex" />
    <link rel="icon" href="${pictureAt(appearance.favicon_url)?.href ?? 'data:,'}" />
    ${new Html(`<style>${style.text}</style>`)}
    ${scripts.map(({ path, integrity }) => html`<script src="${path}" integrity="${integrity}" defer></script>`)}`;
  const width = content.wide === true ? 'wide' : content.narrow === true ? 'narrow' : undefined;
  const title = `${content.title} · ${site.name}`;
  return {
    status: content.status ?? 200,
    headers: {
      ...securityHeaders(appearance, style.source, content, scripts),
      ...languageHeaders(readerLanguage()),
      ...content.headers,
    },
    body: documentOf({ title, head, header: brand(site), body: content.body, width }),
  };
}
