import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';

const PATH = '/oauth/authorize';
/** Bytes of the longest form that is read. */
const READ = 16_384;

describe('An authorization request by a form', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth, auth.site, SERVER);
  });
  afterAll(() => auth.stop());

  const formOf = (overrides: Record<string, string> = {}): URLSearchParams =>
    new URL(flow.authorizationUrl(overrides), auth.site.base_url).searchParams;
  const stored = async (): Promise<number> => (await auth.sql('SELECT FROM interactions')).length;

  it('continues with the same parameters by GET, with the session that the form of another site lacks', async () => {
    await flow.callback();
    const form = formOf({ prompt: 'none', state: 'a state & more' });
    const before = await stored();
    // A browser sends no SameSite=Lax cookie with the form of another site.
    const { status, headers } = await flow.post(PATH, form);
    const location = headers.get('location') ?? '';
    expect([status, location.split('?')[0], headers.get('set-cookie')]).toEqual([303, PATH, null]);
    expect(await stored()).toBe(before);
    expect([...new URL(location, auth.site.base_url).searchParams]).toEqual([...form]);
    const { url } = await flow.browser.open(location);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ code: expect.any(String), state: 'a state & more' });
  });

  it('accepts a form of 4096 bytes and refuses one of 4097 with a page', async () => {
    const ofLength = (length: number): URLSearchParams => {
      const form = formOf({ padding: '' });
      form.set('padding', 'x'.repeat(length - form.toString().length));
      return form;
    };
    const accepted = (await flow.post(PATH, ofLength(4096))).headers.get('location') ?? '';
    expect((await flow.send(accepted)).status).toBe(303);
    const before = await stored();
    const { status, headers, body } = await flow.post(PATH, ofLength(4097), { accept: 'text/html' });
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(body['text']).toContain('4096 bytes');
    expect([
      (await flow.post(PATH, ofLength(READ))).status,
      (await flow.post(PATH, ofLength(READ + 1))).status,
    ]).toEqual([400, 413]);
    expect(await stored()).toBe(before);
  });

  it('refuses a body of another type with 415 and a NUL with 400', async () => {
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await flow.send(PATH, json)).status).toBe(415);
    expect((await flow.post(PATH, formOf({ state: 'a\0b' }))).status).toBe(400);
  });
});
