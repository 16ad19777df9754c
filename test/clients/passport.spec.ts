import express from 'express';
import session from 'express-session';
import type { Express } from 'express';
import type { Strategy } from 'passport';
import { Passport } from 'passport';
import { Recipe } from './recipe.js';
import { SECRET, WebApplication, memberApplication, site, student, viewerEmail } from './web-application.js';

interface PassportRecipe {
  schoolStrategy(clientId: string, clientSecret: string, callbackUrl: string): Strategy | Promise<Strategy>;
}

/** An application from the documentation of Passport: `/login`, and `/callback` that shows the user. */
function application(strategy: Strategy): Express {
  const passport = new Passport();
  passport.use('school', strategy);
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((user: Express.User, done) => done(null, user));
  return express()
    .use(session({ secret: SECRET, resave: false, saveUninitialized: true }))
    .use(passport.initialize())
    .use(passport.session())
    .get('/login', passport.authenticate('school'))
    .get('/callback', passport.authenticate('school'), (request, response) => void response.json(request.user));
}

describe.each([
  { name: 'passport-oauth2', compatibility: false },
  { name: 'openid-client-passport', compatibility: true },
])('the recipe of $name', ({ name, compatibility }) => {
  let served: WebApplication;
  const recipe =
    name === 'passport-oauth2'
      ? new Recipe('passport-oauth2', site.base_url).run<PassportRecipe>()
      : new Recipe('openid-client-passport', site.base_url).run<PassportRecipe>();

  beforeAll(async () => {
    served = await WebApplication.serve(async (origin) => {
      const redirectUri = `${origin}/callback`;
      const options = { redirectUri, scope: 'openid email account:read', compatibility };
      const { clientId, clientSecret } = await memberApplication(options);
      return application(await recipe.schoolStrategy(clientId, clientSecret, redirectUri));
    });
  });
  afterAll(() => served.close());

  it('signs a member in and reads the member API', async () => {
    const user = JSON.parse(await served.signIn('/login')) as { accessToken: string };
    expect(await viewerEmail(user.accessToken)).toBe(student.email);
  });
});
