import { readFile, readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

export const MAIL_PATH = '/-/mails';
const SHOWN = 50;
/** Refuses a page of another host name that resolves here (DNS rebinding): mails contain links that sign in. */
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** True for a request that is about the mails, from a browser on this machine. */
export function asksForMails({ method, url, headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return method === 'GET' && url === MAIL_PATH && OWN_NAMES.has(name);
}

/** The latest mails that the services wrote, unchanged: the local stack delivers no mail. */
export async function showMails(folder: string, response: ServerResponse): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const latest = names
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .reverse()
    .slice(0, SHOWN);
  const texts = await Promise.all(latest.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  const mails = texts.map((text) => `<pre>${escaped(text)}</pre>`).join('<hr>');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(`<!doctype html><title>Mails</title><h1>The latest mails</h1>${mails || '<p>None yet.</p>'}`);
}
