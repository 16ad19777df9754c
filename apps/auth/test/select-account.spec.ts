import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

describe('prompt=select_account', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  it('requires a sign-in for select_account despite a session, and accepts another account', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const page = await flow.browser.open(flow.authorizationUrl({ prompt: 'select_account' }));
    expect(page.body).toContain('name="password"');
    expect(page.body).not.toContain('student@school.example');
    const consent = await flow.signIn(page, 'admin');
    expect(consent.body).toContain('The admin');
    const { searchParams } = (await flow.decide(consent, 'approve')).url;
    expect(searchParams.has('code')).toBe(true);
  });

  it('combines select_account with consent, and refuses it with none', async () => {
    const flow = new Flow(auth);
    await flow.tokens({}, 'student');
    const both = flow.authorizationUrl({ prompt: 'select_account consent' });
    const consent = await flow.signIn(await flow.browser.open(both), 'student');
    expect(consent.body).toContain('value="approve"');
    const silent = await flow.browser.open(flow.authorizationUrl({ prompt: 'none select_account' }));
    expect(silent.url.searchParams.get('error')).toBe('invalid_request');
  });

  it('lists select_account in the metadata', async () => {
    const { body } = await new Flow(auth).send('/.well-known/openid-configuration');
    expect(body['prompt_values_supported']).toEqual(['none', 'login', 'consent', 'select_account']);
  });
});
