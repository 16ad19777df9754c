import { eventually } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { EmailLinks } from '#src/email-links/email-links.service.js';
import { PasswordLinks } from '#src/password-links/password-links.service.js';
import { Passwords } from '#src/people/passwords.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { EmailLinkStage, NEW_PASSWORD } from './email-link-stage.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';

const CHANGE = '/account/change-password';
const NEW = { name: 'Ada Newcomer', password: NEW_PASSWORD };

let stage: EmailLinkStage;
let auth: TestAuth;
let site: SiteRecord;

beforeAll(async () => {
  stage = await EmailLinkStage.start({ DATABASE_POOL_SIZE: '2' });
  ({ auth } = stage);
  const found = await auth.app.get(SitesService).byId(auth.site.site_id);
  if (found === undefined) throw new Error('The stage has no site');
  site = found;
});
beforeEach(() => auth.sql('delete from sign_in_attempts'));
afterEach(() => jest.restoreAllMocks());
afterAll(() => stage.stop());

type Kind = 'hash' | 'matches';
type Submit = () => Promise<{ readonly status: number }>;

/** Passwords that are hashed, or compared, not before `release`. */
function slow(kind: Kind) {
  const passwords = auth.app.get(Passwords, { strict: false });
  const { promise, resolve } = Promise.withResolvers<void>();
  const [hash, matches] = [passwords.hash.bind(passwords), passwords.matches.bind(passwords)];
  let waiting = 0;
  const wait = () => {
    waiting += 1;
    return promise;
  };
  if (kind === 'hash') jest.spyOn(passwords, kind).mockImplementation((password) => wait().then(() => hash(password)));
  else jest.spyOn(passwords, kind).mockImplementation((...given) => wait().then(() => matches(...given)));
  return {
    waiting: (count: number) =>
      eventually(
        () => waiting,
        (found) => found === count,
      ),
    release: resolve,
  };
}

async function invitation(name: string): Promise<Submit> {
  const person = { email: `${name}@hash.example`, name, role: 'student' } as const;
  const { link } = await auth.app.get(Administration).invite(site, person);
  const { pathname, search } = new URL(link ?? '');
  const flow = new Flow(auth);
  const page = await flow.browser.open(pathname + search);
  return () => flow.submit(page, 'password', { password: NEW_PASSWORD });
}

async function signUp(name: string): Promise<Submit> {
  const flow = new Flow(auth);
  const page = await flow.browser.open(await stage.link('sign-up', `${name}@sign-up.example`, flow));
  return () => flow.submit(page, 'name', NEW);
}

async function passwordChange(name: string, password = NEW_PASSWORD): Promise<Submit> {
  const flow = await signedIn(auth, name);
  const page = await flow.browser.open(CHANGE);
  return () => flow.submit(page, 'current', { current: PASSWORD, password });
}

describe('A password that is hashed slowly', () => {
  it.each<[string, Kind, (name: string) => Promise<Submit>, readonly [string, string]]>([
    ['the password of an invitation is hashed', 'hash', invitation, ['first', 'second']],
    ['the password of a sign-up is hashed', 'hash', signUp, ['first', 'second']],
    ['the current password is compared', 'matches', passwordChange, ['owner', 'admin']],
    ['the next password is hashed', 'hash', passwordChange, ['lecturer', 'both']],
  ])('takes no connection while %s', async (_what, kind, prepare, names) => {
    const { access_token } = await new Flow(auth).tokens();
    const submits = [await prepare(names[0]), await prepare(names[1])];
    const hashes = slow(kind);
    const submitted = Promise.all(submits.map((submit) => submit()));
    try {
      await hashes.waiting(submits.length);
      const { status, body } = await new Flow(auth).introspect(access_token);
      expect([status, body['active']]).toEqual([200, true]);
    } finally {
      hashes.release();
      await submitted;
    }
    expect((await submitted).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('A password that is hashed before its transaction', () => {
  it('changes nothing when the proved password is another one by then', async () => {
    const submit = await passwordChange('student');
    const hashes = slow('hash');
    const submitted = submit();
    await hashes.waiting(1);
    await auth.sql(`update people set password_hash = $1 where email = 'student@school.example'`, [
      'of another change',
    ]);
    hashes.release();
    expect((await submitted).status).toBe(422);
    const found = await auth.sql(
      `select password_hash, exists(select from sign_in_attempts) as has_failed,
              (select count(*)::int from audit_log a where a.person_id = p.person_id and event = 'password.changed')
                as changes
         from people p where email = 'student@school.example'`,
    );
    expect(found).toEqual([{ password_hash: 'of another change', has_failed: true, changes: 0 }]);
  });

  it('refuses a link that is over before it checks the password', async () => {
    const hash = jest.spyOn(auth.app.get(Passwords, { strict: false }), 'hash');
    const short = { name: 'Ada', password: 'short', keep: [] };
    expect(await auth.app.get(PasswordLinks, { strict: false }).accept(site, 'unknown', short)).toBeUndefined();
    const signedUp = await auth.app.get(EmailLinks, { strict: false }).signUp(site, 'unknown', short);
    expect([signedUp, hash.mock.calls]).toEqual([{ kind: 'over' }, []]);
  });
});
