import { createHash } from 'node:crypto';
import { html } from '@lyceum/platform';
import { linkedPage } from './linked-page.js';
import { notFoundPage } from './not-found.page.js';

const SITE = { name: 'A <b>School</b>', base_url: 'https://school.example' };
const policyOf = (site: typeof SITE, content: Partial<Parameters<typeof linkedPage>[1]> = {}): string =>
  linkedPage(site, { title: 'x', body: html`<p>Text</p>`, ...content }).headers['content-security-policy'] ?? '';

describe('A page of a service without the appearance of the site', () => {
  it('links to the style of the site, and to its front door by the escaped name', () => {
    const { status, body } = linkedPage(SITE, { title: 'Title', body: html`<p>Text</p>`, width: 'narrow' });
    expect(status).toBe(200);
    expect(body).toContain('<link rel="stylesheet" href="/account/style.css" />');
    expect(body).toContain('<a href="/"><bdi>A &lt;b&gt;School&lt;/b&gt;</bdi></a>');
    expect(body).toContain('<title>Title · A &lt;b&gt;School&lt;/b&gt;</title>');
    expect(body).toContain('<body class="narrow">');
    expect(body).not.toMatch(/<script|<b>|undefined/);
  });

  it('allows the style of the site alone, and no script, image or form', () => {
    expect(policyOf(SITE)).toBe(
      "default-src 'none'; style-src https://school.example/account/style.css; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('allows its own rules by their hash', () => {
    const style = 'p{margin:0}';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policyOf(SITE, { style })).toContain(`style-src https://school.example/account/style.css 'sha256-${hash}';`);
  });

  it('runs the script of all pages where a text can be copied', () => {
    const body = html`<pre data-copy>text</pre>`;
    expect(policyOf(SITE, { body })).toContain('script-src https://school.example/account/scripts/page.js;');
    expect(linkedPage(SITE, { title: 'x', body }).body).toContain('<script src="/account/scripts/page.js" defer>');
  });

  it('allows forms to the site only where the page has one', () => {
    expect(policyOf(SITE, { hasForm: true })).toContain("form-action 'self'");
  });

  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/account/style.css'],
    ['http://[::1]:8080', "'self'"],
    ["https://x.example;script-src'unsafe-inline'", "'self'"],
  ])('names the source of %s as %s', (base_url, source) => {
    expect(policyOf({ ...SITE, base_url })).toContain(`style-src ${source};`);
    expect(policyOf({ ...SITE, base_url })).not.toContain('unsafe');
  });

  it('answers an unknown path with 404 and ways on', () => {
    const { status, body } = notFoundPage(SITE);
    expect(status).toBe(404);
    for (const path of ['/', '/account']) expect(body).toContain(`<li><a href="${path}">`);
  });
});
