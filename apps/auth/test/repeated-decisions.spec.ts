import { Sql } from '@lyceum/platform';
import { postForms } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.resetLimits());
afterEach(() => jest.restoreAllMocks());
afterAll(() => auth.stop());

async function consentPage(name = 'student'): Promise<{ flow: Flow; page: Page }> {
  const flow = new Flow(auth);
  return { flow, page: await flow.signIn(await flow.browser.open(flow.authorizationUrl()), name) };
}

/** A browser with the cookies of another one at this moment, apart from some. */
function copyOf({ browser }: Flow, page: Page, without: RegExp = /^$/): Flow {
  const copy = new Flow(auth);
  const uid = page.url.pathname.split('/').at(-1) ?? '';
  for (const path of [page.url.pathname, `/oauth/authorize/${uid}`]) {
    for (const pair of browser.cookiesFor(path).split('; '))
      if (!without.test(pair)) copy.browser.keep(`${pair}; path=/`);
  }
  return copy;
}

const codeOf = ({ url, body }: Page): string => url.searchParams.get('code') ?? `${url.pathname} ${titleOf({ body })}`;
const titleOf = ({ body }: Pick<Page, 'body'>): string | undefined => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];
const count = async (text: string): Promise<number> => (await auth.sql<{ n: number }>(text))[0]?.n ?? 0;
const grants = () => count('SELECT count(*)::int AS n FROM grants');
const given = () => count(`SELECT count(*)::int AS n FROM audit_log WHERE event = 'consent.given'`);

/**
 * Stops the next request that runs the statement, once the statement has run. The request goes on after `go`, or when
 * another one has looked for its decision this many times. Without a statement no request stops.
 */
function stopAfter(
  statement: string | undefined,
  looks: number,
): { readonly stopped: Promise<void>; readonly go: () => void } {
  if (statement === undefined) return { stopped: Promise.resolve(), go: () => undefined };
  const [stopped, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sql = auth.app.get(Sql, { strict: false });
  const query = sql.query.bind(sql);
  let [isStopped, looked] = [false, 0];
  jest.spyOn(sql, 'query').mockImplementation(async (one, values) => {
    const found = await query(one, values);
    if (isStopped) {
      if (one.name === 'interaction_decision' && (looked += 1) === looks) go.resolve();
    } else if (one.name === statement) {
      isStopped = true;
      stopped.resolve();
      await go.promise;
    }
    return found;
  });
  return { stopped: stopped.promise, go: go.resolve };
}

describe('A decision that is sent twice', () => {
  it.each([
    ['at the same time', undefined, 0],
    ['while the first has no result', 'interaction_claim', 2],
    ['while the first has a result', 'interaction_approve', 1],
    ['and continues before the first', 'interaction_approve', Infinity],
    ['while the first has ended without a stored response', 'interaction_destroy', 3],
    ['while the response to the first is on its way', 'session_save_with_response', Infinity],
  ])('redirects both to the same code: %s', async (_moment, statement, looks) => {
    const { flow, page } = await consentPage();
    // The responses to the first click reach no browser, because the second click replaces it.
    const first = copyOf(flow, page);
    const before = [await grants(), await given()];
    const { stopped, go } = stopAfter(statement, looks);
    const deciding = first.decide(page, 'approve');
    await stopped;
    const other = await flow.decide(page, 'approve').finally(go);
    const one = await deciding;
    expect(other.url.href).toBe(one.url.href);
    expect(codeOf(other)).toMatch(/^[\w-]{43}$/);
    expect([(await grants()) - before[0]!, (await given()) - before[1]!]).toEqual([1, 1]);
    expect((await flow.browser.open('/account')).url.pathname).toBe('/account');
    const { status, body } = await flow.exchange(codeOf(other));
    expect(status).toBe(200);
    expect(await flow.isActive(String(body['access_token']))).toBe(true);
  });

  it('redirects both to the same code in a browser that received the first response', async () => {
    const { flow, page } = await consentPage();
    const one = await flow.decide(page, 'approve');
    const other = await flow.decide(page, 'approve');
    expect([codeOf(other), other.url.href]).toEqual([expect.stringMatching(/^[\w-]{43}$/), one.url.href]);
    expect((await flow.browser.open('/account')).url.pathname).toBe('/account');
  });

  it('keeps the first decision when the second differs', async () => {
    const { flow, page } = await consentPage();
    expect((await flow.decide(page, 'deny')).url.searchParams.get('error')).toBe('access_denied');
    expect((await flow.decide(page, 'approve')).url.searchParams.get('error')).toBe('access_denied');
    const later = await consentPage();
    const [one, other] = await Promise.all([
      copyOf(later.flow, later.page).decide(later.page, 'approve'),
      later.flow.decide(later.page, 'deny'),
    ]);
    expect(other.url.href).toBe(one.url.href);
  });

  it('does not send a used code again', async () => {
    const { flow, page } = await consentPage();
    const { body } = await flow.exchange(codeOf(await flow.decide(page, 'approve')));
    const again = await flow.decide(page, 'approve');
    expect([again.status, titleOf(again)]).toEqual([400, 'You have already answered']);
    expect(again.body).toContain('href="/account"');
    expect(await flow.isActive(String(body['access_token']))).toBe(true);
  });

  it.each([
    [LIFETIMES.repeatedDecision - 5, true],
    [LIFETIMES.repeatedDecision + 1, false],
  ])('sends the code again after %i seconds: %s', async (seconds, isSent) => {
    const { flow, page } = await consentPage();
    const code = codeOf(await flow.decide(page, 'approve'));
    await auth.sql(`UPDATE interactions SET ended_at = now() - make_interval(secs => $1) WHERE ended_at IS NOT NULL`, [
      seconds,
    ]);
    const again = await flow.decide(page, 'approve');
    expect([codeOf(again) === code, titleOf(again)]).toEqual([
      isSent,
      isSent ? undefined : 'You have already answered',
    ]);
  });

  it('says that the person has answered when the page is opened again', async () => {
    const { flow, page } = await consentPage();
    await flow.decide(page, 'approve');
    const again = await flow.browser.open(page.url);
    expect([again.status, titleOf(again)]).toEqual([400, 'You have already answered']);
    const unknown = await flow.browser.open('/oauth/interaction/none');
    expect(titleOf(unknown)).toBe('This page is no longer valid');
  });

  it('sends the code to no other browser, with or without the cookies of the interaction', async () => {
    const { flow, page } = await consentPage();
    const planted = copyOf(flow, page, /^lyceum(\.sig)?=/);
    const code = codeOf(await flow.decide(page, 'approve'));
    for (const other of [planted, new Flow(auth), (await consentPage('owner')).flow]) {
      const seen = await other.decide(page, 'approve');
      expect([seen.status, seen.url.origin]).toEqual([400, auth.site.base_url]);
      expect(`${seen.url.href}${seen.body}`).not.toContain(code);
    }
    const form = postForms(page.body).find(({ names }) => names.has('decision'));
    const fields = new URLSearchParams(form?.fields);
    fields.set('csrf', 'forged');
    const forged = await flow.browser.open(new URL(form?.action ?? '', page.url), fields);
    expect([forged.status, forged.url.origin]).toEqual([400, auth.site.base_url]);
  });

  it('refuses a decision without the cookies of an open interaction at once', async () => {
    const { flow, page } = await consentPage();
    const began = performance.now();
    expect((await new Flow(auth).decide(page, 'approve')).status).toBe(400);
    // A repeated decision waits up to 3 s for the first.
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(codeOf(await flow.decide(page, 'approve'))).toMatch(/^[\w-]{43}$/);
  });

  it('stores the response only in encrypted form', async () => {
    const { flow, page } = await consentPage();
    const code = codeOf(await flow.decide(page, 'approve'));
    const [row] = await auth.sql<{ found: boolean; kept: number }>(
      `SELECT bool_or(position($1::bytea IN sealed_response) > 0) AS found, count(sealed_response)::int AS kept
         FROM interactions`,
      [Buffer.from(code)],
    );
    expect([row?.found, (row?.kept ?? 0) > 0]).toEqual([false, true]);
  });

  it('asks again when the first decision was abandoned', async () => {
    const { flow, page } = await consentPage();
    await auth.sql(`UPDATE interactions SET decided_at = now() - interval '11 seconds' WHERE decided_at IS NULL`);
    expect(codeOf(await flow.decide(page, 'approve'))).toMatch(/^[\w-]{43}$/);
  });
});
