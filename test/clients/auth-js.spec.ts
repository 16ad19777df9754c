import type { AuthConfig } from '@auth/core';
import { Recipe } from './recipe.js';
import {
  SECRET,
  WebApplication,
  fetchListener,
  memberApplication,
  site,
  student,
  viewerEmail,
} from './web-application.js';

interface AuthJs {
  authConfig(clientId: string, clientSecret: string, secret: string): AuthConfig;
  handle(request: Request, config: AuthConfig): Promise<Response>;
}

const SCOPE = 'openid email account:read';
const { authConfig, handle } = new Recipe('auth-js', site.base_url).run<AuthJs>();

describe('Auth.js', () => {
  let application: WebApplication;

  beforeAll(async () => {
    application = await WebApplication.serve(async (origin) => {
      const redirectUri = `${origin}/auth/callback/school`;
      const { clientId, clientSecret } = await memberApplication({ redirectUri, scope: SCOPE, compatibility: true });
      const config = authConfig(clientId, clientSecret, SECRET);
      return fetchListener((request) => handle(request, config));
    });
  });
  afterAll(() => application.close());

  it('signs a member in with its default checks and reads the member API', async () => {
    await application.signIn('/auth/signin');
    const session = await application.json<{ user: { email: string }; accessToken: string }>('/auth/session');
    expect(session.user.email).toBe(student.email);
    expect(await viewerEmail(session.accessToken)).toBe(student.email);
  });
});
