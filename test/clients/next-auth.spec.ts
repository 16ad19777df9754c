import express from 'express';
import type { Request, Response } from 'express';
import NextAuth from 'next-auth';
import type { NextAuthOptions } from 'next-auth';
import { Recipe } from './recipe.js';
import { SECRET, WebApplication, memberApplication, site, student, viewerEmail } from './web-application.js';

interface NextAuth4 {
  authOptions(clientId: string, clientSecret: string, secret: string): NextAuthOptions;
}
/** Called as by the Pages Router of Next.js: Express has the same request and response. */
type Handler = (request: Request, response: Response, options: NextAuthOptions) => Promise<void>;

const { authOptions } = new Recipe('next-auth', site.base_url).run<NextAuth4>();

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.cookie ?? '').split('; ').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
  );
}

describe('NextAuth.js 4', () => {
  let application: WebApplication;

  beforeAll(async () => {
    application = await WebApplication.serve(async (origin) => {
      const redirectUri = `${origin}/api/auth/callback/school`;
      const scope = 'openid email account:read';
      const { clientId, clientSecret } = await memberApplication({ redirectUri, scope, compatibility: true });
      const options = authOptions(clientId, clientSecret, SECRET);
      process.env['NEXTAUTH_URL'] = origin;
      return express()
        .use(express.urlencoded({ extended: false }))
        .all('/api/auth/{*words}', (request, response) => {
          const nextauth = request.path.split('/').slice(3);
          Object.defineProperty(request, 'query', { value: { ...request.query, nextauth } });
          Object.defineProperty(request, 'cookies', { value: cookiesOf(request) });
          return (NextAuth as unknown as Handler)(request, response, options);
        });
    });
  });
  afterAll(() => application.close());

  it('signs a member in with its default checks and reads the member API', async () => {
    await application.signIn('/api/auth/signin');
    const session = await application.json<{ user: { email: string }; accessToken: string }>('/api/auth/session');
    expect(session.user.email).toBe(student.email);
    expect(await viewerEmail(session.accessToken)).toBe(student.email);
  });
});
