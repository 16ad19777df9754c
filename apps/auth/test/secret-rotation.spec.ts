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

interface Made {
  readonly client_id: string;
  readonly secret: string;
  readonly path: string;
}

async function create(kind = 'confidential'): Promise<Made> {
  const form = await owner.browser.open('/admin/new-application?for=member');
  const fields = { name: 'A server', redirect_uris: CALLBACK, kind, scope: 'account:read' };
  const page = await owner.submit(form, 'redirect_uris', fields);
  return { client_id: textOf(page, 'client_id'), secret: textOf(page, 'client_secret'), path: page.url.pathname };
}

async function rotate({ path }: Made, overlap: string): Promise<Page> {
  return owner.submit(await owner.browser.open(`${path}/rotate`), 'overlap', { overlap });
}

/** Gets tokens with the secret, and returns whether token, introspection and revocation endpoint accept it. */
async function accepted({ client_id }: Made, client_secret: string): Promise<boolean[]> {
  const flow = new Flow(auth);
  const code = (await flow.callback({ client_id, scope: 'account:read' })).get('code');
  const exchanged = await flow.exchange(code, { client_id, client_secret });
  const token = JSON.stringify(exchanged.body['access_token'] ?? 'none').replaceAll('"', '');
  const introspected = await flow.introspect(token, { client_id, client_secret });
  const revoked = await flow.post('/api/oauth/revoke', { token, client_id, client_secret });
  return [exchanged.status === 200, introspected.status === 200, revoked.status === 200];
}

const ALL = [true, true, true];
const NONE = [false, false, false];

describe('A rotation of a secret', () => {
  it('keeps the old secret and all access until its time, and shows the new one once', async () => {
    const made = await create();
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({ ...client(made), scope: 'account:read' });
    const page = await rotate(made, '24h');
    const renewed = textOf(page, 'client_secret');
    expect(renewed).toHaveLength(43);
    expect(renewed).not.toBe(made.secret);
    expect(page.body).toContain('Two secrets are valid');
    expect(textOf(await owner.browser.open(made.path), 'client_secret')).toBe('');
    expect(await accepted(made, made.secret)).toEqual(ALL);
    expect(await accepted(made, renewed)).toEqual(ALL);
    expect(await flow.isActive(access_token)).toBe(true);
    const [row] = await auth.sql<{ hours: number }>(
      `select round(extract(epoch from previous_secret_until - now()) / 3600)::int as hours from clients where client_id = $1`,
      [made.client_id],
    );
    expect(row?.hours).toBe(24);
    await auth.sql('update clients set previous_secret_until = now() where client_id = $1', [made.client_id]);
    expect(await accepted(made, made.secret)).toEqual(NONE);
    expect(await accepted(made, renewed)).toEqual(ALL);
    expect((await owner.browser.open(made.path)).body).not.toContain('Two secrets are valid');
  });

  it('ends the old secret by the button at once, after a question, and keeps access', async () => {
    const made = await create();
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({ ...client(made), scope: 'account:read' });
    const renewed = textOf(await rotate(made, '7d'), 'client_secret');
    const question = await owner.browser.open(`${made.path}/end-secret`);
    expect(question.body).toContain('End the old secret of A server?');
    expect(await accepted(made, made.secret)).toEqual(ALL);
    const done = await owner.submit(question, 'application', {});
    expect(done.body).toContain('The old secret of A server has ended.');
    expect(await accepted(made, made.secret)).toEqual(NONE);
    expect(await accepted(made, renewed)).toEqual(ALL);
    expect(await flow.isActive(access_token)).toBe(true);
    expect((await owner.submit(question, 'application', {})).status).toBe(200);
    expect((await owner.browser.open(`${made.path}/end-secret`)).status).toBe(404);
  });

  it('ends the old secret and all access at once for a secret that somebody else has', async () => {
    const made = await create();
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({ ...client(made), scope: 'account:read' });
    const renewed = textOf(await rotate(made, 'none'), 'client_secret');
    expect(await flow.isActive(access_token)).toBe(false);
    expect(await accepted(made, made.secret)).toEqual(NONE);
    expect(await accepted(made, renewed)).toEqual(ALL);
  });

  it('keeps two secrets at most: another rotation ends the oldest', async () => {
    const made = await create();
    const second = textOf(await rotate(made, '1h'), 'client_secret');
    expect((await owner.browser.open(`${made.path}/rotate`)).body).toContain('the older of the two secrets ends now');
    const third = textOf(await rotate(made, '1h'), 'client_secret');
    expect(await accepted(made, made.secret)).toEqual(NONE);
    expect(await accepted(made, second)).toEqual(ALL);
    expect(await accepted(made, third)).toEqual(ALL);
  });

  it('rotates once for a form that is sent twice', async () => {
    const made = await create();
    const form = await owner.browser.open(`${made.path}/rotate`);
    await Promise.all([1, 2, 3].map(() => owner.submit(form, 'overlap', { overlap: '1h' })));
    const versions = await auth.sql<{ version: number }>('select version from clients where client_id = $1', [
      made.client_id,
    ]);
    expect(versions).toEqual([{ version: 2 }]);
    expect(await accepted(made, made.secret)).toEqual(ALL);
  });

  it('stores no secret in clear, and audits who rotated it', async () => {
    const made = await create();
    const renewed = textOf(await rotate(made, '1h'), 'client_secret');
    const [row] = await auth.sql<{ text: string }>('select c::text as text from clients c where client_id = $1', [
      made.client_id,
    ]);
    expect(row?.text).not.toContain(renewed);
    const { body } = await owner.browser.open(`/admin/audit?client=${made.client_id}`);
    expect(body).toContain('The owner renewed the secret of A server');
    expect(body).not.toContain(renewed);
  });

  it('offers no rotation for a public application, and refuses an unknown time', async () => {
    const open = await create('public');
    expect((await owner.browser.open(`${open.path}/rotate`)).status).toBe(404);
    const made = await create();
    const form = await owner.browser.open(`${made.path}/rotate`);
    expect((await owner.submit(form, 'overlap', { overlap: 'forever' })).status).toBe(404);
    expect((await owner.submit(form, 'overlap', { application: open.client_id })).status).toBe(404);
    expect(await accepted(made, made.secret)).toEqual(ALL);
  });

  it.each(['student', 'lecturer'])('refuses a %s, also with a form of their own session', async (name) => {
    const made = await create();
    const { flow, page } = await signedIn(auth, '/account', name);
    const fields = { csrf: csrfOf(page), application: made.client_id, overlap: 'none' };
    for (const path of ['rotate', 'end-secret', 'change', 'delete'])
      expect((await flow.browser.open(`/admin/applications/${path}`, new URLSearchParams(fields))).status).toBe(404);
    expect(await accepted(made, made.secret)).toEqual(ALL);
  });
});

function client({ client_id, secret }: Made): { client_id: string; client_secret: string } {
  return { client_id, client_secret: secret };
}
