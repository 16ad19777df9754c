import type { Page } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { SitesService } from '#src/sites/sites.service.js';
import { WRONG } from './sign-ins.js';
import { EmailLinkStage } from './email-link-stage.js';
import { Flow } from './flow.js';
import { CHINESE, ENGLISH, expectChinese as expectWordsInChinese, languageOf } from './page-language.js';

describe('The language of the pages', () => {
  let stage: EmailLinkStage;

  beforeAll(async () => {
    stage = await EmailLinkStage.start();
    const school = `insert into site_schools (site_id, epoch, version, locale, timezone) values ($1, 0, 1, $2, $3)`;
    await stage.auth.sql(school, [stage.auth.other.site_id, 'zh-TW', 'Asia/Taipei']);
  });
  afterAll(() => stage.stop());

  const flowOf = (headers: Readonly<Record<string, string>>, client_id = 'first-member'): Flow =>
    new Flow(stage.auth, stage.auth.site, { client_id }, headers);

  const seen = new Set<string>();
  function expectChinese(page: Page): void {
    seen.add(`${page.url.pathname} ${page.status}`);
    expectWordsInChinese(page);
  }
  async function invitationLink(name: string): Promise<string> {
    const site = await stage.auth.app.get(SitesService).byId(stage.auth.site.site_id);
    const person = { email: `${name}@school.example`, name: 'The student', role: 'student' } as const;
    const { link } = await stage.auth.app.get(Administration).invite(site!, person);
    const { pathname, search } = new URL(link ?? '');
    return pathname + search;
  }

  it('shows sign-in, consent and what follows in Chinese', async () => {
    const flow = flowOf(CHINESE);
    const signIn = await flow.browser.open(flow.authorizationUrl());
    expectChinese(signIn);
    expectChinese(await flow.signIn(signIn, 'student', WRONG));
    for (const path of ['sign-in-link', 'sign-up'])
      expectChinese(await flow.browser.open(`${signIn.url.pathname}/${path}`));
    const consent = await flow.signIn(signIn, 'student');
    expect(consent.body).toContain('value="approve"');
    expectChinese(consent);
    await flow.decide(consent, 'deny');
    expectChinese(await flow.browser.open(consent.url.pathname));
    expectChinese(await flow.browser.open(flow.authorizationUrl({ prompt: 'select_account' })));
    const operator = flowOf(CHINESE, 'first-operator');
    const refused = await operator.signIn(
      await operator.browser.open(operator.authorizationUrl({ scope: 'openid courses:read' })),
    );
    expect(refused.body).not.toContain('value="approve"');
    expectChinese(refused);
    const staff = flowOf(CHINESE, 'first-operator');
    const scope = 'openid profile email courses:read courses:write students:read';
    expectChinese(await staff.signIn(await staff.browser.open(staff.authorizationUrl({ scope })), 'owner'));
  });

  it('shows error pages in Chinese', async () => {
    const flow = flowOf({ ...CHINESE, accept: 'text/html' });
    const paths = [
      '/nothing-here',
      '/oauth/interaction/unknown',
      '/account/invitation?token=unknown',
      '/account/email-link?token=unknown',
      '/account/email/link?token=unknown',
      flow.authorizationUrl({ client_id: 'unknown' }),
      flow.authorizationUrl({ redirect_uri: 'https://elsewhere.example/callback' }),
    ];
    for (const path of paths) {
      const page = await flow.browser.open(path);
      expect(page.status).toBeGreaterThanOrEqual(400);
      // The description of an error is for developers.
      expectChinese({ ...page, body: page.body.replace(/<p class="quiet"><code>[^]*?<\/p>/, '') });
    }
  });

  it('shows links by email and their errors in Chinese', async () => {
    const flow = flowOf(CHINESE);
    for (const kind of ['sign-up', 'sign-in-link', 'password']) {
      const page = await flow.browser.open(`/account/${kind}`);
      expectChinese(page);
      expectChinese(await flow.submit(page, 'email', { email: 'student@school.example', csrf: 'forged' }));
      expectChinese(await flow.submit(page, 'email', { email: 'student@school.example' }));
    }
    const invitation = await flow.browser.open(await invitationLink('invited'));
    expectChinese(invitation);
    expectChinese(await flow.submit(invitation, 'password', { password: 'password12' }));
    expectChinese(await flow.submit(invitation, 'password', { password: 'a-very-long-secret' }));
  });

  it('shows the account in Chinese', async () => {
    const flow = flowOf(CHINESE);
    const signIn = await flow.browser.open('/account/sign-in');
    expectChinese(signIn);
    const scope = 'openid profile account:read account:write';
    await flow.callback({ scope });
    const account = await flow.browser.open('/account');
    expectChinese(account);
    const forms = ['profile', 'change-password', 'passkeys', 'email', 'leave', 'export', 'sign-out-everywhere'];
    for (const path of forms) expectChinese(await flow.browser.open(`/account/${path}`));
    const [, application = ''] = /name="application" value="([^"]+)"/.exec(account.body) ?? [];
    expectChinese(await flow.browser.open(`/account/disconnect?application=${application}`));
    const profile = await flow.browser.open('/account/profile');
    for (const field of ['name', 'picture', 'locale', 'phone', 'csrf']) {
      expectChinese(await flow.submit(profile, 'phone', { [field]: field === 'name' ? '' : 'x' }));
    }
    expectChinese(await flow.submit(profile, 'phone', { name: 'The student' }));
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(profile.body) ?? [];
    expectChinese(await flow.browser.open('/account/profile/picture/remove', new URLSearchParams({ csrf })));
    const change = await flow.browser.open('/account/email');
    expectChinese(await flow.submit(change, 'current', { email: 'new@school.example', current: 'wrong' }));
    const asked = { email: 'new@school.example', current: 'correct-horse-battery' };
    expectChinese(await flow.submit(change, 'current', asked));
    const password = await flow.browser.open('/account/change-password');
    expectChinese(await flow.submit(password, 'current', { current: 'x', password: 'short' }));
    expectChinese(await flow.browser.open('/'));
    expectChinese(await flow.browser.open('/oauth/logout'));
    expectChinese(await flow.signOut('here'));
  });

  it('shows the pages for developers in Chinese, with recipes and the reference itself in English', async () => {
    const { browser } = flowOf(CHINESE);
    for (const path of ['/docs', '/member/explorer', '/docs/guides', '/docs/guides/first-call']) {
      const { body, ...page } = await browser.open(path);
      expectChinese({ ...page, body: body.replaceAll(/<(li|article|a)[^>]* lang="en">[^]*?<\/\1>/g, '') });
    }
    const recipe = await browser.open('/docs/guides/urql');
    expect(languageOf(recipe)).toBe('zh-TW');
    expect(recipe.body).toContain('<article lang="en">');
    const { headers } = await flowOf({}).send('/docs', { headers: CHINESE });
    expect([headers.get('content-language'), headers.get('vary')]).toEqual(['zh-TW', 'Accept-Language, Cookie']);
  });

  it('walks every page', () => {
    expect(seen.size).toBeGreaterThan(29);
  });

  it('prefers ui_locales to the browser, through all pages of the interaction', async () => {
    const flow = flowOf(ENGLISH);
    const signIn = await flow.browser.open(flow.authorizationUrl({ ui_locales: 'fr zh-TW en' }));
    expectChinese(signIn);
    const [, reset = ''] = /href="(\/account\/password[^"]*)"/.exec(signIn.body) ?? [];
    const form = await flow.browser.open(reset);
    expectChinese(form);
    expectChinese(await flow.submit(form, 'email', { email: 'unknown@school.example' }));
    expectChinese(await flow.signIn(signIn, 'both'));
    const failed = await flow.browser.open(flow.authorizationUrl({ client_id: 'unknown', ui_locales: 'zh-TW' }));
    expect(languageOf(failed)).toBe('zh-TW');
    const other = flowOf(CHINESE);
    expect(languageOf(await other.browser.open(other.authorizationUrl({ ui_locales: 'en' })))).toBe('en');
    const sized = flowOf(ENGLISH);
    await sized.browser.open(sized.authorizationUrl({ ui_locales: `${'fr '.repeat(15)}zh-TW ${'fr '.repeat(900)}` }));
    const stored = `select payload #>> '{params,ui_locales}' as locales from interactions where payload #>> '{params,ui_locales}' = 'zh-TW'`;
    expect(await stage.auth.sql(stored)).toEqual([{ locales: 'zh-TW' }]);
  });

  it('prefers the language of the person to that of the browser', async () => {
    const flow = flowOf(ENGLISH);
    await flow.signIn(await flow.browser.open('/account/sign-in'), 'lecturer');
    expect(languageOf(await flow.browser.open('/account'))).toBe('en');
    const profile = await flow.browser.open('/account/profile');
    expectChinese(await flow.submit(profile, 'phone', { name: 'The lecturer', locale: 'zh-Hant-TW' }));
    const consent = await flow.browser.open(flow.authorizationUrl());
    expectChinese(consent);
    expect(languageOf(await flow.browser.open(flow.authorizationUrl({ ui_locales: 'en', prompt: 'consent' })))).toBe(
      'en',
    );
  });

  it('prefers the language of the site to that of the browser, and names its time zone', async () => {
    const flow = new Flow(stage.auth, stage.auth.other, { client_id: 'second-member' }, ENGLISH);
    const signIn = await flow.browser.open('/account/sign-in');
    expectChinese(signIn);
    const account = await flow.signIn(signIn, 'stranger');
    expectChinese(account);
    expect(account.body).toMatch(/<time datetime="[^"]+Z" title="[\d-]+ [\d:]+ \(Asia\/Taipei\)">/);
  });

  it('keeps the language of a request with the mail that follows', async () => {
    const flow = flowOf(CHINESE);
    const address = 'new-in-chinese@school.example';
    await stage.request('sign-up', address, flow);
    await stage.auth.mailsSent();
    const found = await stage.auth.sql('select language from mails where address = $1', [address]);
    expect(found).toEqual([{ language: 'zh-TW' }]);
  });

  it('names the language and its sources in the headers', async () => {
    const { headers } = await flowOf({}).send('/account/sign-in', { headers: CHINESE });
    expect([headers.get('content-language'), headers.get('vary')]).toEqual(['zh-TW', 'Accept-Language, Cookie']);
  });

  it('lists its languages in the metadata', async () => {
    const { body } = await flowOf({}).send('/.well-known/openid-configuration');
    expect(body['ui_locales_supported']).toEqual(['en', 'zh-TW']);
  });
});
