import { html } from '@lyceum/platform';
import { siteSettings } from '#src/sites/site.js';
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
