import type { Browser, Page } from 'playwright-core';
import { siteZip, uploadedBundle } from '../clients/page-bundle.js';
import { tokenFor } from '../clients/tokens.js';
import { systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { newPerson } from './deployment.js';
import { signIn } from './sign-in.js';
import { type Visitor, visitor } from './visitor.js';

const site = systemStack().sites[0]!;
const SLUG = `attack-${Date.now().toString(36)}`;
const COOKIE = { name: 'readable', value: 'secret-of-the-site' };

/** Each attempt of a script of a page to reach the site. It shows what it got, or the name of the error. */
const SCRIPT = `
const attempts = {
  async fetched() { return (await fetch('/account', { credentials: 'include' })).text(); },
  async userinfo() { return (await fetch('/api/oauth/userinfo', { credentials: 'include' })).text(); },
  async blind() { return (await fetch('/account', { credentials: 'include', mode: 'no-cors' })).text(); },
  requested: () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.withCredentials = true;
    request.onload = () => resolve(request.responseText);
    request.onerror = () => reject(new Error('refused'));
    request.open('GET', '/account');
    request.send();
  }),
  framed: () => new Promise((resolve, reject) => {
    const frame = document.createElement('iframe');
    frame.onload = () => {
      try { resolve(frame.contentWindow.document.body.innerText); } catch (error) { reject(error); }
    };
    frame.src = '/account';
    document.body.append(frame);
  }),
  async opened() { return window.open('/account').document.body.innerText; },
  async cookies() { return document.cookie; },
  async setsCookie() { document.cookie = 'planted=1; path=/'; return document.cookie; },
  async local() { return localStorage.getItem('kept'); },
  async session() { return sessionStorage.getItem('kept'); },
  database: () => new Promise((resolve, reject) => {
    const opening = indexedDB.open('kept');
    opening.onsuccess = () => resolve('opened');
    opening.onerror = () => reject(opening.error);
  }),
  async cached() { return String(await caches.keys()); },
  async worker() { return (await navigator.serviceWorker.register('worker.js')).scope; },
};
const results = { origin: self.origin };
for (const [name, attempt] of Object.entries(attempts)) {
  try { results[name] = 'got ' + (await attempt()); } catch (error) { results[name] = error.name; }
}
document.getElementById('results').textContent = JSON.stringify(results);
`;

const FILES = {
  'index.html':
    '<!doctype html><meta charset="utf-8"><title>Attack</title><link rel="icon" href="data:,">' +
    '<pre id="results"></pre><script type="module" src="attack.js"></script>',
  'attack.js': SCRIPT,
  'worker.js': 'self.addEventListener("fetch", () => undefined);',
};

interface Made {
  readonly id: string;
}

/** Sends a request of an owner. */
async function send(token: string, path: string, body?: object): Promise<Made> {
  const response = await fetch(`${site.base_url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, response.status < 300 ? response.status : 0, text]);
  return JSON.parse(text) as Made;
}

async function deployAttack(): Promise<void> {
  const token = await tokenFor('operator', 'pages:read pages:write storage:write');
  const file_id = await uploadedBundle(siteZip(FILES), {
    create: (body) => send(token, 'uploads', body),
    complete: (id) => send(token, `uploads/${id}/complete`),
  });
  const { id } = await send(token, 'pages', { slug: SLUG, title: 'Attack' });
  const deployment = await send(token, `pages/${id}/deployments`, { file_id });
  await send(token, `pages/${id}/deployments/${deployment.id}/promote`);
  await send(token, `pages/${id}/publish`);
}

describe('a script of a static page', () => {
  let browser: Browser;
  let visiting: Visitor;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    visiting = await visitor(browser, site.base_url, { scripts: true });
    ({ page } = visiting);
    const person = await newPerson(site, 'student');
    await deployAttack();
    await page.goto('/account');
    await signIn(page, person);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await visiting.context.addCookies([{ ...COOKIE, url: site.base_url }]);
  });
  afterAll(async () => browser.close());

  const openAttack = async (path = `/pages/${SLUG}/`): Promise<Record<string, string>> => {
    await page.goto(path);
    const results = page.locator('#results:not(:empty)');
    await results.waitFor();
    return JSON.parse(await results.innerText()) as Record<string, string>;
  };

  it('reads neither /account, nor cookies, nor storage of a person who is signed in', async () => {
    // The same script could read a cookie outside of a page.
    await page.goto('/account');
    expect(await page.evaluate<string>('document.cookie')).toContain(COOKIE.value);
    const results = await openAttack();
    expect(results).toEqual({
      origin: 'null',
      fetched: 'TypeError',
      userinfo: 'TypeError',
      blind: 'got ',
      requested: 'Error',
      framed: 'SecurityError',
      opened: 'SecurityError',
      cookies: 'SecurityError',
      setsCookie: 'SecurityError',
      local: 'SecurityError',
      session: 'SecurityError',
      database: expect.stringMatching(/SecurityError|InvalidStateError/),
      cached: expect.stringMatching(/SecurityError|TypeError/),
      worker: expect.stringMatching(/SecurityError|TypeError/),
    });
    expect((await visiting.context.cookies()).map(({ name }) => name)).not.toContain('planted');
  });

  it('stays isolated after the redirect to its folder, and leaves the session alone', async () => {
    expect((await openAttack(`/pages/${SLUG}`))['origin']).toBe('null');
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });
});
