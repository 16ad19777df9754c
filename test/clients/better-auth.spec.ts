import { Recipe } from './recipe.js';
import { SECRET, WebApplication, fetchListener, memberApplication, site, student } from './web-application.js';

interface BetterAuth {
  schoolAuth(
    baseURL: string,
    clientId: string,
    clientSecret: string,
    secret: string,
  ): { readonly handler: (request: Request) => Promise<Response> };
}

const { schoolAuth } = new Recipe('better-auth', site.base_url).run<BetterAuth>();

describe('better-auth', () => {
  let application: WebApplication;

  beforeAll(async () => {
    application = await WebApplication.serve(async (origin) => {
      const redirectUri = `${origin}/api/auth/callback/school`;
      const scope = 'openid profile email account:read';
      const { clientId, clientSecret } = await memberApplication({ redirectUri, scope });
      const auth = schoolAuth(origin, clientId, clientSecret, SECRET);
      return fetchListener(async (request) => {
        if (new URL(request.url).pathname !== '/sign-in') return auth.handler(request);
        const headers = { 'content-type': 'application/json', origin };
        const body = JSON.stringify({ provider: 'school', callbackURL: '/api/auth/get-session' });
        const started = await auth.handler(
          new Request(`${origin}/api/auth/sign-in/social`, { method: 'POST', headers, body }),
        );
        const { url } = (await started.json()) as { url: string };
        const redirect = new Headers({ location: url });
        for (const cookie of started.headers.getSetCookie()) redirect.append('set-cookie', cookie);
        return new Response(null, { status: 302, headers: redirect });
      });
    });
  });
  afterAll(() => application.close());

  it('signs a member in with its defaults', async () => {
    const session = JSON.parse(await application.signIn('/sign-in')) as { user: { email: string; name: string } };
    expect(session.user).toMatchObject({ email: student.email, name: student.name });
  });
});
