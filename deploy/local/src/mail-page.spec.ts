import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEdge, type Edge } from './edge.js';
import { Upstreams } from './upstreams.js';

const closed = Upstreams.at('http://127.0.0.1:1');
let folder: string;
let edge: Edge;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-mails-'));
  const upstreams = { auth: closed, 'admin-api': closed, 'member-api': closed, 'mcp-gateway': closed };
  edge = await startEdge({ port: 0, addresses: ['127.0.0.1'], upstreams, mailDirectory: folder });
});
afterAll(async () => {
  await edge.close();
  rmSync(folder, { recursive: true });
});

function get(host: string, path = '/-/mails'): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: edge.port, host: '127.0.0.1', path, headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    asked.on('error', reject).end();
  });
}

it('shows the latest mails first and escapes their markup', async () => {
  expect((await get('localhost:8080')).body).toContain('No mails yet');
  writeFileSync(join(folder, '2026-01-01.eml'), 'Subject: First\r\n\r\n<script>alert(1)</script>');
  writeFileSync(join(folder, '2026-01-02.eml'), 'Subject: Second\r\n\r\nText');
  writeFileSync(join(folder, '.2026-01-03.eml.draft'), 'half');
  const { status, body } = await get('127.0.0.1:8080');
  expect([status, body.indexOf('Second') < body.indexOf('First')]).toEqual([200, true]);
  expect(body).not.toMatch(/<script|half/);
});

it('links the addresses in a text, without the punctuation after them, and no other text', async () => {
  const text =
    'Open http://localhost:8080/account/invitation?token=a&b.\r\n\r\nNot javascript:alert(1) or "http://x/"y';
  writeFileSync(join(folder, '2026-01-04.eml'), `Subject: Links\r\nTo: a@b.example\r\n\r\n${text}`);
  const { body } = await get('localhost:8080');
  const links = [...body.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, shown]) => [href, shown]);
  const [invitation, quoted] = ['http://localhost:8080/account/invitation?token=a&amp;b', 'http://x/'];
  expect(links).toEqual([invitation, quoted].map((url) => [url, url]));
  expect(body).toContain('To <bdi>a@b.example</bdi>');
  expect(body).toMatch(/<html lang="en">[^]*<meta name="viewport"/);
});

it('shows both forms of a mail: the HTML in a frame without scripts, and the plain text with its links', async () => {
  const part = (type: string, encoding: string, content: string): string =>
    `--b\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n`;
  const html = '<!doctype html><html><head></head><body>Form "two"<script>alert(2)</script></body></html>';
  const body = `${part('text/plain', '8bit', 'Form one: http://x/y')}${part('text/html', 'base64', Buffer.from(html).toString('base64'))}--b--`;
  const head = 'Subject: Both\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"';
  writeFileSync(join(folder, '2026-01-05.eml'), `${head}\r\n\r\n${body}\r\n`);
  const page = (await get('localhost:8080')).body;
  const [frame = '', sandbox, shown] = /<iframe [^>]*sandbox="([^"]*)" srcdoc="([^"]*)"/.exec(page) ?? [];
  expect([frame.includes('title="Both"'), sandbox]).toEqual([true, 'allow-popups allow-popups-to-escape-sandbox']);
  expect(shown).toContain('&lt;head&gt;&lt;base target=&quot;_blank&quot;&gt;');
  expect(shown).toContain('Form &quot;two&quot;');
  expect(page).toContain('<pre>Form one: <a href="http://x/y">http://x/y</a></pre>');
  expect(page).not.toMatch(/<script|Content-Transfer-Encoding/);
});

it.each(['elsewhere.example', 'localhost.elsewhere.example:8080'])(
  'shows nothing under the name "%s"',
  async (host) => {
    const { status, body } = await get(host);
    expect([status, body.includes('First')]).toEqual([503, false]);
  },
);

it('serves the page at one path only', async () => {
  expect((await get('localhost', '/-/mails/x')).status).toBe(503);
});
