import { readFile, readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { mailOf } from './mail-source.js';

export const MAIL_PATH = '/-/mails';
const SHOWN = 50;
/** Refuses a page of another host name that resolves here (DNS rebinding): mails contain links that sign in. */
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

const STYLE = `
:root{color-scheme:light dark;--ink:#1c1b22;--ground:#f1f2f6;--paper:#fff;--quiet:#50505c;--edge:#d6d7de;--accent:#1d4ed8}
@media (prefers-color-scheme:dark){:root{--ink:#f3f3f6;--ground:#101014;--paper:#1a1a20;--quiet:#c3c3ce;--edge:#3a3a44;--accent:#a9c4ff}}
*{box-sizing:border-box}
body{max-width:44rem;margin:0 auto;padding:2rem 1rem 3rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:1.5rem}
h2{margin:0;font-size:1.125rem}
p{margin:.25rem 0 0;color:var(--quiet)}
article{margin-top:1rem;padding:1rem 1.25rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--paper)}
article p{font-size:.875rem}
pre{margin:1rem 0 0;font:inherit;white-space:pre-wrap}
summary{margin-top:.75rem;color:var(--quiet);font-size:.875rem;cursor:pointer}
iframe{display:block;width:100%;height:36rem;margin-top:1rem;border:1px solid var(--edge);border-radius:.5rem}
details pre{font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Ends before the punctuation of the sentence. */
const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g;

/** The escaped text with its links. */
function linked(text: string): string {
  let end = 0;
  let markup = '';
  for (const { 0: url, index } of text.matchAll(LINK)) {
    markup += `${escaped(text.slice(end, index))}<a href="${escaped(url)}">${escaped(url)}</a>`;
    end = index + url.length;
  }
  return markup + escaped(text.slice(end));
}

/** A mail as FolderTransport writes it. The frame of its HTML runs no script, and its links open in another tab. */
function articleOf(source: string): string {
  const { head, header, text, html } = mailOf(source);
  const frame = `<iframe title="${escaped(header('Subject'))}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escaped(html.replace('<head>', '<head><base target="_blank">'))}"></iframe>`;
  return `<article>
<h2>${escaped(header('Subject') || 'Without a subject')}</h2>
<p>To <bdi>${escaped(header('To'))}</bdi><br>From <bdi>${escaped(header('From'))}</bdi><br>${escaped(header('Date'))}</p>
${html === '' ? '' : frame}
<details${html === '' ? ' open' : ''}><summary>Plain text</summary><pre>${linked(text.trim())}</pre></details>
<details><summary>All headers</summary><pre>${escaped(head)}</pre></details>
</article>`;
}

/** True for a request that is about the mails, from a browser on this machine. */
export function asksForMails({ method, url, headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return method === 'GET' && url === MAIL_PATH && OWN_NAMES.has(name);
}

const pageOf = (mails: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Mails of the local stack</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mails of the local stack</h1>
<p>This machine delivers no mail. The latest ${SHOWN} are here, newest first. Reload the page for new ones.</p>
${mails.map(articleOf).join('\n') || '<article><p>No mails yet. Invite a person or reset a password, then reload.</p></article>'}
</main>
</body>
</html>`;

/** The latest mails that the services wrote: the local stack delivers no mail. */
export async function showMails(folder: string, response: ServerResponse): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const latest = names
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .reverse()
    .slice(0, SHOWN);
  const texts = await Promise.all(latest.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    // The frames inherit the policy, and mails have inline styles.
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(pageOf(texts.filter((text) => text !== '')));
}
