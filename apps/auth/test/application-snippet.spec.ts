import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Page } from '@lyceum/testing';
import { csrfOf, signedIn, switchConnections, textOf } from './admin-flow.js';
import { CALLBACK, SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  auth = await startAuth({ environment: SOON_SEEN });
  await switchConnections(auth, true);
  ({ flow: owner } = await signedIn(auth, '/admin'));
});
afterAll(() => auth.stop());

async function create(fields: Readonly<Record<string, string>>): Promise<Page> {
  const csrf = csrfOf(await owner.browser.open('/admin/new-application?for=member'));
  const form = { csrf, for: 'member', name: 'Pasted', redirect_uris: CALLBACK, scope: 'account:read', ...fields };
  return owner.browser.open('/admin/applications', new URLSearchParams(form));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
/** The text that the button beside the snippet copies. */
const snippetOf = (page: Page): string =>
  textOf(page, 'snippet').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** Runs the snippet as pasted, with the answers of a person: first the typed lines, then the address of the browser. */
async function run(snippet: string, typed: readonly string[] = []): Promise<Record<string, unknown>> {
  const shell = spawn('sh', ['-c', snippet]);
  const errors = text(shell.stderr);
  for (const line of typed) shell.stdin.write(`${line}\n`);
  let shown = '';
  shell.stdout.setEncoding('utf8');
  for await (const part of shell.stdout) {
    shown += String(part);
    const address = /Open this address:\n(\S+)\n/.exec(shown)?.[1];
    if (address === undefined || shell.stdin.writableEnded) continue;
    const visitor = new Flow(auth);
    const consent = await visitor.signIn(await visitor.browser.open(address));
    // A confidential application finds the approval of an earlier run.
    const allowed = consent.status === 302 ? consent : await visitor.decide(consent, 'approve');
    shell.stdin.end(`${allowed.url.href}\n`);
  }
  if (shell.exitCode === null) await once(shell, 'exit');
  expect(await errors).toBe('');
  return JSON.parse(/\{.*\}/s.exec(shown)?.[0] ?? '{}') as Record<string, unknown>;
}

describe('The snippet of an application', () => {
  it('gets an access token of a public application when it is pasted', async () => {
    const tokens = await run(snippetOf(await create({})));
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'account:read' });
    expect(await owner.isActive(String(tokens['access_token']))).toBe(true);
  });

  it('contains the new secret on the first page, and asks for it on later ones', async () => {
    const page = await create({ kind: 'confidential' });
    const secret = textOf(page, 'client_secret');
    expect(snippetOf(page)).toContain(secret);
    expect(await run(snippetOf(page))).toMatchObject({ token_type: 'Bearer' });
    const later = await owner.browser.open(page.url);
    expect(later.body).not.toContain(secret);
    expect(await run(snippetOf(later), [secret])).toMatchObject({ token_type: 'Bearer' });
    expect(await run(snippetOf(later), ['not-the-secret'])).toMatchObject({ error: 'invalid_client' });
  });

  it('exists only for a redirect URI that a browser opens', async () => {
    const page = await create({ redirect_uris: 'com.example.app:/callback' });
    expect([page.status, page.body.includes('id="snippet"')]).toEqual([200, false]);
  });

  it('quotes a redirect URI with an apostrophe', async () => {
    const page = await create({ redirect_uris: "http://127.0.0.1:7777/it's" });
    expect(snippetOf(page)).toContain(String.raw`'redirect_uri=http://127.0.0.1:7777/it'\''s'`);
    expect(await run(snippetOf(page))).toMatchObject({ token_type: 'Bearer' });
  });
});
