import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

async function invitationPage(email: string, flow: Flow): Promise<Page> {
  const site = await auth.app.get(SitesService).byId(auth.site.site_id);
  const { link } = await auth.app.get(Administration).invite(site!, { email, name: 'New', role: 'student' });
  const { pathname, search } = new URL(link ?? '');
  return flow.browser.open(pathname + search);
}

/** First School is the site, new.person@school.example the address. */
const REFUSED = [
  ['of the list', '1234567890', 'one of the most common'],
  ['of the list, in other letters', 'QwertyUIOP', 'one of the most common'],
  ['of the list, in full-width digits', '１２３４５６７８９０', 'one of the most common'],
  ['that is the own e-mail address', 'New.Person@School.example', 'must not be your email address'],
  ['that is the first part of it, with digits', 'newperson2026', 'must not be your email address'],
  ['that is the name of the site', 'First School', 'or the name of the site'],
  ['that is the name of the site, with more', 'first-school-1!', 'or the name of the site'],
] as const;

describe('A new password at a site', () => {
  it.each(REFUSED)(
    'refuses the password %s at an invitation, without counting an attempt',
    async (_what, password, text) => {
      const flow = new Flow(auth);
      const page = await invitationPage('new.person@school.example', flow);
      const refused = await flow.submit(page, 'password', { password });
      expect([refused.status, refused.body.includes(text)]).toEqual([422, true]);
      expect(refused.body).not.toContain(`value="${password}"`);
    },
  );

  it.each(['1234567890', 'student student', 'FirstSchool'])('refuses the password %s at a change', async (password) => {
    const email = 'studentstudent@school.example';
    await auth.sql('UPDATE people SET email = $1 WHERE email = $2', [email, 'student@school.example']);
    const flow = await signedIn(auth, 'studentstudent');
    const page = await flow.browser.open('/account/change-password');
    const refused = await flow.submit(page, 'current', { current: PASSWORD, password });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatch(/one of the most common|must not be your email address or the name of the site/);
    await auth.sql('UPDATE people SET email = $1 WHERE email = $2', ['student@school.example', email]);
  });

  it.each(['1234567890 and more', 'new.person and a friend', 'First School is mine', 'correct-horse-battery'])(
    'accepts the password %s',
    async (password) => {
      const flow = new Flow(auth);
      const email = `new.person+${password.length}@school.example`;
      const page = await invitationPage(email, flow);
      expect((await flow.submit(page, 'password', { password })).body).toContain('Your password is set');
    },
  );
});
