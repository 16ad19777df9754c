import { createHash } from 'node:crypto';
import { NO_THEME } from '@lyceum/contracts';
import { Html, html } from '@lyceum/platform';
import { siteAppearance } from '#src/appearances/appearance.js';
import { siteSettings } from '#src/sites/site.js';
import { page } from './page.js';
import { PAGE_SCRIPT } from './page.script.js';
import { authorizationErrorPage } from './error.page.js';

const site = {
  site_id: '01a1fb4f-0000-7000-8000-000000000001',
  base_url: 'https://school.example',
  host: 'school.example',
  name: 'A <b>School</b>',
  slug: 'school',
  org_id: 'org_1',
  state: 'active' as const,
  settings: siteSettings({}),
  appearance: siteAppearance(null),
  school: { name: null, mcp_connections: null, locale: null, timezone: null, course_url: null },
  version: 1,
};

describe('A page', () => {
  it.each([
    ['sends its forms to the site alone', {}, "; form-action 'self'; base-uri 'none'; "],
    ['lets a form end at an application', { leadsToApplication: true }, "; base-uri 'none'; "],
  ])('%s', (_what, content, policy) => {
    const { headers } = page(site, { title: 'x', body: html``, ...content });
    const directives = (headers['content-security-policy'] ?? '').replace(/style-src '[^']+'/, 'style-src');
    expect(directives).toBe(`default-src 'none'; img-src data:; style-src${policy}frame-ancestors 'none'`);
  });

  it('allows no script but the one named by its hash', () => {
    const policyOf = (script?: { path: string; integrity: string }) =>
      page(site, { title: 'x', body: html``, script }).headers['content-security-policy'];
    expect(policyOf()).not.toContain('script-src');
    expect(policyOf({ path: '/x.js', integrity: 'sha256-AAAA' })).toContain("script-src 'sha256-AAAA';");
  });

  it.each([
    ['a password', '<input type="password" />', true],
    ['a text to copy', '<pre data-copy>curl</pre>', true],
    ['neither', '<p>data-copy: type=password</p>', false],
  ])('runs the script of all pages where the page has %s', (_what, markup, runs) => {
    const { body, headers } = page(site, { title: 'x', body: new Html(markup) });
    const [, path, integrity = ''] = /<script src="([^"]+)" integrity="([^"]+)" defer>/.exec(body) ?? [];
    expect(path === PAGE_SCRIPT.path).toBe(runs);
    expect(headers['content-security-policy']).toContain(
      runs ? `script-src '${integrity}';` : "default-src 'none'; img",
    );
    expect(body.match(/<script/g) ?? []).toHaveLength(runs ? 1 : 0);
  });

  it('escapes the name of a site', () => {
    const { body } = page(site, { title: 'x', body: html`` });
    expect(body).not.toContain('<b>School</b>');
  });

  it('shows the kind of an error and nothing from the request', () => {
    const { body, status } = authorizationErrorPage(site, {
      error: 'invalid_client',
      error_description: '<img src=x>',
    });
    expect(status).toBe(400);
    expect(body).not.toContain('<img');
  });
});

describe('A page of a site with its own appearance', () => {
  const looking = (part: object) =>
    page({ ...site, appearance: { ...siteAppearance(null), ...part } }, { title: 'x', body: html`` });
  const sources = (part: object, directive: string): string | undefined =>
    looking(part)
      .headers['content-security-policy']?.split('; ')
      .find((one) => one.startsWith(`${directive} `));
  const LOGO = 'https://cdn.example.com/logo.svg';

  it('allows its own style by its hash, and no other style', () => {
    for (const theme of [NO_THEME, { ...NO_THEME, accent_color: '#7a1f1f' }]) {
      const { body } = looking({ theme });
      const styles = [...body.matchAll(/<style>([^]*?)<\/style>/g)];
      expect(styles).toHaveLength(1);
      const hash = createHash('sha256')
        .update(styles[0]?.[1] ?? '')
        .digest('base64');
      expect(sources({ theme }, 'style-src')).toBe(`style-src 'sha256-${hash}'`);
      expect(body).not.toContain('style="');
    }
    expect(looking({ theme: { ...NO_THEME, accent_color: '#7a1f1f' } }).body).toContain('--accent:#7a1f1f');
  });

  it('shows the logo with the name of the site as alternative text, and allows images of its host only', () => {
    expect(sources({}, 'img-src')).toBe('img-src data:');
    expect(sources({ logo_url: LOGO }, 'img-src')).toBe('img-src data: https://cdn.example.com');
    expect(sources({ logo_url: LOGO, favicon_url: `${LOGO}?icon` }, 'img-src')).toBe(
      'img-src data: https://cdn.example.com',
    );
    expect(sources({ logo_url: LOGO, favicon_url: 'https://icons.example.com:8443/i.png' }, 'img-src')).toBe(
      'img-src data: https://cdn.example.com https://icons.example.com:8443',
    );
    const file = '/files/public/019ab3c0-de90-7a01-9c3d-4e5f60718293';
    expect(sources({ logo_url: file }, 'img-src')).toBe("img-src data: 'self'");
    expect(looking({ logo_url: file }).body).toContain(`<img class="logo" src="${file}"`);
    const { body } = looking({ logo_url: LOGO, favicon_url: 'https://icons.example.com/i.png' });
    expect(body).toContain(`<img class="logo" src="${LOGO}" alt="A &lt;b&gt;School&lt;/b&gt;" />`);
    expect(body).toContain('<link rel="icon" href="https://icons.example.com/i.png" />');
    expect(looking({}).body).not.toContain('<img');
  });

  // The school accepts none of them; a value in the database is not shown either.
  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://cdn.example.com/logo.svg',
    "https://x.test;script-src'unsafe-inline'/a.svg",
    'https://x.test;script-src *',
    'https://[::1]/a.svg',
    'no url',
    '',
  ])('shows no logo for the URL %j', (url) => {
    const { body, headers } = looking({ logo_url: url, favicon_url: url });
    expect(body).not.toContain('<img');
    expect(body).toContain('<link rel="icon" href="data:," />');
    expect(headers['content-security-policy']).toContain('; img-src data:; ');
    expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe|\*/);
  });

  it('escapes the URL of an image in its attribute', () => {
    const { body } = looking({ logo_url: 'https://x.test/"><script>alert(1)</script>' });
    expect(body).not.toContain('<script');
  });
});
