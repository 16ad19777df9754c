import { postForms, type Page } from '@lyceum/testing';
import { personOf } from '../../stack/system-stack.js';
import { Actor, otherSite, site, sourceIn, type ApiResponse } from './attack.js';

const { email, password } = personOf(site, 'student');
const FORGED = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } as const;
const OWN = { origin: site.base_url, 'sec-fetch-site': 'same-origin' } as const;

/** One of the actors stays signed in. */
const victims = { 'sign-in': new Actor(sourceIn(5)), consent: new Actor(sourceIn(5)) } as const;

/** The form of a page as a cross-site script sends it: with the victim's cookies and attacker-controlled fields. */
class Forger {
  private constructor(
    readonly victim: Actor,
    readonly page: Page,
    readonly action: string,
    readonly csrf: string,
    private readonly responses: Record<string, string>,
  ) {}

  static async before(which: 'sign-in' | 'consent', victim = victims[which]): Promise<Forger> {
    const prompt = which === 'consent' ? 'consent' : 'login';
    let page = await victim.browser.open(victim.authorization({ prompt }));
    if (which === 'consent' && page.body.includes('name="password"')) page = await victim.signIn(page);
    const form = postForms(page.body).find(({ names }) => names.has(which === 'consent' ? 'decision' : 'password'))!;
    const { csrf = '', ...hidden } = Object.fromEntries(form.fields);
    const responses: Record<string, string> = which === 'consent' ? { decision: 'approve' } : { email, password };
    return new Forger(victim, page, form.action, csrf, { ...hidden, ...responses });
  }

  post(csrf: string | null, headers: Record<string, string>, cookies = true): Promise<ApiResponse> {
    const cookie: Record<string, string> = cookies ? { cookie: this.victim.browser.cookiesFor(this.action) } : {};
    return this.victim.send(this.action, { form: { ...this.responses, csrf }, headers: { ...headers, ...cookie } });
  }
}

describe.each(['sign-in', 'consent'] as const)('the %s form', (which) => {
  it.each<[string, (own: Forger) => Promise<string | null>, Record<string, string>]>([
    ['without a token', () => Promise.resolve(null), OWN],
    ['with an empty token', () => Promise.resolve(''), OWN],
    [
      'with a token of the attacker’s own session',
      async () => (await Forger.before(which, new Actor(sourceIn(5)))).csrf,
      OWN,
    ],
    ['with a changed token', (own) => Promise.resolve(own.csrf.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))), OWN],
    ['with the right token from another origin', (own) => Promise.resolve(own.csrf), FORGED],
    ['from the other site of the deployment', (own) => Promise.resolve(own.csrf), { origin: otherSite.base_url }],
    ['from an opaque origin', (own) => Promise.resolve(own.csrf), { origin: 'null' }],
    ['from a subdomain', (own) => Promise.resolve(own.csrf), { origin: OWN.origin, 'sec-fetch-site': 'same-site' }],
    [
      'with fetch metadata alone saying cross-site',
      (own) => Promise.resolve(own.csrf),
      { 'sec-fetch-site': 'cross-site' },
    ],
  ])('refuses a post %s, and changes nothing', async (_what, token, headers) => {
    const forger = await Forger.before(which);
    const refused = await forger.post(await token(forger), headers);
    expect([refused.status, refused.headers['location']]).toEqual([403, undefined]);
    expect(refused.headers['set-cookie'] ?? '').not.toMatch(/lyceum=/);
    const honest = await forger.post(forger.csrf, OWN);
    expect([honest.status, honest.headers['location']]).toEqual([303, expect.stringContaining('/oauth/authorize/')]);
  });

  it('refuses a post without the cookie of the browser that opened the form', async () => {
    const forger = await Forger.before(which);
    const refused = await forger.post(forger.csrf, OWN, false);
    expect([refused.status, refused.headers['location']]).toEqual([400, undefined]);
  });

  it('refuses JSON and GET', async () => {
    const { victim, action } = await Forger.before(which);
    expect(
      (await victim.send(action, { json: { email, password, decision: 'approve' } })).status,
    ).toBeGreaterThanOrEqual(400);
    // The page of the sign-in form is stale for this browser.
    expect([400, 404, 405]).toContain((await victim.send(`${action}?decision=approve`)).status);
  });
});

it('sets host-only, HttpOnly cookies that cross-site posts do not carry', async () => {
  const victim = new Actor(sourceIn(5));
  const { headers } = await victim.send(victim.authorization());
  const lines = String(headers['set-cookie']).split(/,(?=\S+=)/);
  expect(lines.length).toBeGreaterThanOrEqual(2);
  for (const line of lines) {
    expect(line).toMatch(/httponly/i);
    expect(line).toMatch(/samesite=(lax|strict)/i);
    expect(line).not.toMatch(/domain=/i);
  }
});
