import { siteSettings } from '#src/sites/site.js';
import { html } from './html.js';
import { formSource, page } from './page.js';
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
  version: 1,
};

describe('Markup', () => {
  it('escapes what is put in, and not what is markup already', () => {
    const attack = `"><script>alert('1')</script>&`;
    const { text } = html`<p title="${attack}">${attack}${html`<b>${1}</b>`}${[html`<i></i>`, '<']}</p>`;
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
    expect(text).toBe(`<p title="${escaped}">${escaped}<b>1</b><i></i>&lt;</p>`);
  });

  it('leaves out what is absent', () => {
    expect(html`${undefined}${false}`.text).toBe('');
  });
});

describe('A page', () => {
  it.each([
    ['https://app.example:8443/cb?x=1', 'https://app.example:8443'],
    ['http://127.0.0.1:7777/callback', 'http://127.0.0.1:7777'],
    ['http://[::1]:7777/callback', 'http:'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['not a uri', ''],
  ])('lets a form end at %s by naming %p', (uri, source) => {
    expect(formSource(uri)).toBe(source);
  });

  it('cannot be widened by what a redirect URI holds', () => {
    const { headers } = page(site, {
      title: 'x',
      body: html``,
      formTarget: "https://x.example/;script-src 'unsafe-inline'",
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  it('shows the name of a site as text', () => {
    const { body } = page(site, { title: 'x', body: html`` });
    expect(body).not.toContain('<b>School</b>');
  });

  it('tells of an error what it is, and nothing that came with the request', () => {
    const { body, status } = authorizationErrorPage(site, {
      error: 'invalid_client',
      error_description: '<img src=x>',
    });
    expect(status).toBe(400);
    expect(body).not.toContain('<img');
  });
});
