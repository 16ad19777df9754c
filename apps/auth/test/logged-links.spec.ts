import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';

const EMAIL = 'student@school.example';
const PASSWORD = 'another-long-password';
/** Enables the log line of each request at `info`. */
const SLOW_MS = 1_100;

const mails = new Mails();
const lines: string[] = [];
let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({
    environment: { MAIL_DIRECTORY: mails.directory },
    log: (line) => void lines.push(line),
  });
});
afterEach(() => void lines.splice(0));
afterAll(() => auth.stop());

async function newLink(): Promise<{ link: string; token: string }> {
  const flow = new Flow(auth);
  const page = await flow.browser.open('/account/password');
  const link = await mails.newLink(EMAIL, () => flow.submit(page, 'email', { email: EMAIL }));
  return { link, token: /[\w-]{43}$/.exec(link)?.[0] ?? '' };
}

/** Sends a form whose last byte arrives late, as over a mobile network. */
function sendSlowly(flow: Flow, url: URL, form: URLSearchParams): Promise<number> {
  const text = form.toString();
  const headers = {
    host: url.host,
    origin: url.origin,
    cookie: flow.browser.cookiesFor(url.pathname),
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url.pathname + url.search, auth.url), { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).write(text.slice(0, -1));
    void sleep(SLOW_MS).then(() => sent.end(text.slice(-1)));
  });
}

const requestLines = (matching: (line: { status: number; duration_ms: number }) => boolean): string[] =>
  lines.filter((line) => {
    const parsed = JSON.parse(line) as { message: string; status: number; duration_ms: number };
    return parsed.message === 'request' && matching(parsed);
  });
const actionOf = (page: Page): { url: URL; fields: URLSearchParams } => {
  const form = postForms(page.body).find(({ names }) => names.has('password'));
  if (form === undefined) throw new Error(`No form at ${page.url.href}`);
  return { url: new URL(form.action, page.url), fields: form.fields };
};

describe('The log', () => {
  it('omits the token of a password link at every level when the form arrives slowly', async () => {
    const { link, token } = await newLink();
    const flow = new Flow(auth);
    const { url, fields } = actionOf(await flow.browser.open(link));
    fields.set('password', 'short');
    expect(await sendSlowly(flow, url, fields)).toBe(422);
    fields.set('password', PASSWORD);
    expect(await sendSlowly(flow, url, fields)).toBe(303);
    const slow = await eventually(
      () => requestLines(({ duration_ms }) => duration_ms >= 1_000),
      (found) => found.length === 2,
    );
    expect(slow.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['info', 'info']);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  });

  it('omits the token of a link when the request ends in 500 or matches no route', async () => {
    const { link, token } = await newLink();
    const flow = new Flow(auth);
    const { url, fields } = actionOf(await flow.browser.open(link));
    await auth.sql('ALTER TABLE invitations RENAME TO gone');
    try {
      expect((await flow.browser.open(link)).status).toBe(500);
      expect((await flow.browser.open(url, fields)).status).toBe(500);
    } finally {
      await auth.sql('ALTER TABLE gone RENAME TO invitations');
    }
    for (const path of [`/account/invitation/${token}`, `/account/reset/${token}/more?token=${token}`])
      expect((await new Flow(auth).send(path)).status).toBe(404);
    await eventually(
      () => [requestLines(({ status }) => status === 500).length, requestLines(({ status }) => status === 404).length],
      ([failed, missing]) => failed === 2 && missing === 2,
    );
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  });

  it('omits the id of an interaction from the log', async () => {
    const flow = new Flow(auth);
    const page = await flow.signIn(await flow.browser.open(flow.authorizationUrl()), 'student', PASSWORD);
    await flow.decide(page, 'approve');
    const uids = [
      ...lines.join('').matchAll(/"route":"\/oauth\/(?:interaction|authorize)\/:uid[^"]*","path":"([^"]*)"/g),
    ];
    expect(uids.length).toBeGreaterThan(2);
    for (const [, path = ''] of uids) expect(path).toMatch(/^\/oauth\/(interaction|authorize)\/\[redacted\]/);
  });
});
