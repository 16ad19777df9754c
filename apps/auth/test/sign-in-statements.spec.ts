import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Hold } from './hold.js';
import { statementsOfRequest } from './statements.js';

const REQUEST = 'a-counted-sign-in';
/** Request: the client with the session, both saved. Page: the interaction with the person. */
const TO_THE_PAGE = 3;
/** Decision: the claim, the approval. Continuation: interaction with session, its end, the code, the session. */
const TO_THE_CODE = 6;

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: { SITE_CACHE_MS: '60000' } });
});
afterAll(() => auth.stop());

describe('A sign-in of a person with a session', () => {
  it('reads and writes each row once on the way to the code', async () => {
    const flow = new Flow(auth, auth.site, undefined, { 'x-request-id': REQUEST });
    await flow.callback();
    let page = await flow.browser.open('/account');
    const before = await statementsOfRequest(auth, REQUEST, async () => {
      page = await flow.browser.open(flow.authorizationUrl({ prompt: 'consent' }));
    });
    let code: string | null = null;
    const after = await statementsOfRequest(auth, REQUEST, async () => {
      code = (await flow.decide(page, 'approve')).url.searchParams.get('code');
    });
    expect([before.length, after.length]).toEqual([TO_THE_PAGE, TO_THE_CODE]);
    expect((await flow.exchange(code)).status).toBe(200);
  });
});

describe('An approval', () => {
  const rows = async (): Promise<number[]> => {
    const [row] = await auth.sql<{ n: number[] }>(
      `select array[(select count(*) from grants), (select count(*) from consents),
                    (select count(*) from audit_log where event = 'consent.given')]::int[] as n`,
    );
    return row?.n ?? [];
  };
  it('keeps nothing when the interaction ends meanwhile', async () => {
    const flow = new Flow(auth);
    await auth.sql('delete from grants');
    await auth.sql('delete from consents');
    const page = await flow.signIn(await flow.browser.open(flow.authorizationUrl()));
    const before = await rows();
    const hold = await Hold.of(auth, 'select 1 from people for update');
    const decided = flow.decide(page, 'approve');
    await hold.waiting(1);
    await auth.sql('update interactions set ended_at = now() where ended_at is null');
    await hold.release();
    expect((await decided).status).toBe(400);
    expect(await rows()).toEqual(before);
  });

  const toLose = `update clients set scopes = array_remove(scopes, 'email') where client_id = 'first-member'`;

  it('keeps nothing when the client has lost a scope while the page was open', async () => {
    const flow = new Flow(auth);
    await auth.sql('delete from grants');
    await auth.sql('delete from consents');
    const page = await flow.signIn(await flow.browser.open(flow.authorizationUrl()));
    const before = await rows();
    await auth.sql(toLose);
    try {
      expect((await flow.decide(page, 'approve')).status).toBe(400);
      expect(await rows()).toEqual(before);
    } finally {
      await auth.sql(`update clients set scopes = array_append(scopes, 'email') where client_id = 'first-member'`);
    }
    const again = await flow.signIn(await flow.browser.open(flow.authorizationUrl({ prompt: 'login consent' })));
    expect((await flow.decide(again, 'approve')).url.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    expect(await rows()).toEqual([1, 1, (before[2] ?? 0) + 1]);
  });
});
