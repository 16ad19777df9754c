import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import type { Browser, Page } from 'playwright-core';
import type { UserManager } from 'oidc-client-ts';
import { launchChromium } from '../browser/chromium.js';
import { signIn } from '../browser/sign-in.js';
import { Recipe } from './recipe.js';
import { WebApplication, isRefused, memberApplication, site, student, viewerEmail } from './web-application.js';

declare global {
  var users: UserManager;
}

const esm = ts.ModuleKind.ESNext;
const recipe = ts.transpileModule(new Recipe('oidc-client-ts', site.base_url).block('ts'), {
  compilerOptions: { module: esm, target: ts.ScriptTarget.ES2024 },
}).outputText;
const packageFile = (path: string): Promise<string> => readFile(join(__dirname, '../../node_modules', path), 'utf8');

/** Serves one page at every path of the application, with the recipe as a module and the released package. */
const pageOf = (clientId: string): string => `<!doctype html><title>Application</title>
<script type="importmap">{"imports":{"oidc-client-ts":"/oidc-client-ts.js","jwt-decode":"/jwt-decode.js"}}</script>
<script type="module">
import { schoolUsers } from '/recipe.js';
globalThis.users = schoolUsers(${JSON.stringify(clientId)}, location.origin);
</script>`;

describe('oidc-client-ts in Chromium', () => {
  let browser: Browser;
  let application: WebApplication;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    application = await WebApplication.serve(async (origin) => {
      const { clientId } = await memberApplication({
        redirectUri: `${origin}/callback`,
        postLogoutRedirectUri: `${origin}/signed-out`,
        scope: 'openid email account:read',
        isPublic: true,
      });
      const scripts = new Map([
        ['/oidc-client-ts.js', await packageFile('oidc-client-ts/dist/esm/oidc-client-ts.js')],
        ['/jwt-decode.js', await packageFile('jwt-decode/build/esm/index.js')],
        ['/recipe.js', recipe],
      ]);
      return (request, response) => {
        const script = scripts.get(request.url ?? '');
        const type = script === undefined ? 'text/html' : 'text/javascript';
        response.writeHead(200, { 'content-type': type }).end(script ?? pageOf(clientId));
      };
    });
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await application.close();
    await browser.close();
  });

  const ready = (): Promise<unknown> => page.waitForFunction(() => 'users' in globalThis);

  /** Signs in by redirects. Returns the access token. */
  async function signedIn(): Promise<string> {
    await page.goto(application.origin);
    await ready();
    await page.evaluate(() => void globalThis.users.signinRedirect());
    await page.getByLabel('Password').waitFor();
    await signIn(page, student);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(`${application.origin}/callback?**`);
    await ready();
    return page.evaluate(async () => {
      const user = await globalThis.users.signinCallback();
      return user!.access_token;
    });
  }

  it('signs in, reads UserInfo and refreshes', async () => {
    const token = await signedIn();
    expect(await viewerEmail(token)).toBe(student.email);
    const refreshed = await page.evaluate(async () => {
      const user = await globalThis.users.signinSilent();
      return { email: user?.profile.email, token: user?.access_token };
    });
    expect(refreshed.email).toBe(student.email);
    expect(refreshed.token).not.toBe(token);
    expect(await viewerEmail(refreshed.token ?? '')).toBe(student.email);
  });

  it('revokes the tokens', async () => {
    const token = await signedIn();
    const left = await page.evaluate(async () => {
      await globalThis.users.revokeTokens();
      const user = await globalThis.users.getUser();
      return { access_token: user?.access_token, refresh_token: user?.refresh_token };
    });
    expect(left.refresh_token ?? null).toBeNull();
    expect(await isRefused(token)).toBe(true);
  });

  it('signs out at the site and returns to the application', async () => {
    await signedIn();
    await page.evaluate(() => void globalThis.users.signoutRedirect());
    await page.waitForURL(`${application.origin}/signed-out**`);
    await page.goto(`${site.base_url}/account`);
    await page.getByLabel('Password').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).count()).toBe(1);
  });
});
