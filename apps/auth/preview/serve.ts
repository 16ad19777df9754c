/**
 * `npm run pages`: shows every page of auth in every state, with planted data and without a stack. `?ui_locales=zh-TW`
 * chooses the language, `?dir=rtl` the direction.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { LANGUAGES, requestedBy } from '@lyceum/messages';
import { html, runForReader } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { PASSKEY_SCRIPT } from '#src/passkeys/passkey.script.js';
import { page } from '#src/pages/page.js';
import { PAGE_SCRIPT } from '#src/pages/page.script.js';
import { SCRIPT_HEADERS } from '#src/pages/script-file.js';
import { BARE_SITE } from './planted.ts';
import type { State } from './state.ts';
import { GROUPS, STATES } from './states.ts';

interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '8090' } } });
const SCRIPTS = new Map([PASSKEY_SCRIPT, PAGE_SCRIPT].map(({ path, text }) => [path, text]));
const BY_SLUG = new Map(STATES.map((state) => [state.slug, state]));

const link = (href: string, words: string): Html => html`<a href="${href}">${words}</a>`;

function item({ title, slug }: State): Html {
  const languages = LANGUAGES.slice(1).map((language) => link(`/states/${slug}?ui_locales=${language}`, language));
  return html`<li>${link(`/states/${slug}`, title)} · ${languages} · ${link(`/states/${slug}?dir=rtl`, 'rtl')}</li>`;
}

const index = (): Shown =>
  page(BARE_SITE, {
    title: 'Pages',
    wide: true,
    body: html`<h1>Pages</h1>
      ${Object.entries(GROUPS).map(
        ([title, states]) =>
          html`<h2>${title}</h2>
            <ul>
              ${states.map(item)}
            </ul>`,
      )}`,
  });

function shown(url: URL): Shown {
  const script = SCRIPTS.get(url.pathname);
  if (script !== undefined) return { status: 200, headers: SCRIPT_HEADERS, body: script };
  const state = BY_SLUG.get(url.pathname.replace('/states/', ''));
  if (state !== undefined) {
    const { status, headers, body } = state.render();
    return {
      status,
      headers,
      body: url.searchParams.get('dir') === 'rtl' ? body.replace('dir="ltr"', 'dir="rtl"') : body,
    };
  }
  // The links and the forms of the pages end at the list.
  return url.pathname === '/' ? index() : { status: 303, headers: { location: '/' }, body: '' };
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const reader = { requested: requestedBy(request.url ?? '/'), accepted: request.headers['accept-language'] };
  const { status, headers, body } = runForReader(reader, () => shown(url));
  response.writeHead(status, headers).end(body);
});
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Pages: http://127.0.0.1:${port}/\n`);
});
