import { postForms } from '@lyceum/testing';
import { personOf } from '../../stack/system-stack.js';
import { Actor, memberServer, site, sourceIn } from './attack.js';

const SESSION = 'lyceum=';
const names = (cookies: string): string[] => cookies.split('; ').map((pair) => pair.split('=')[0] ?? '');
const session = (cookies: string): string | undefined => cookies.split('; ').find((pair) => pair.startsWith(SESSION));

/** Copies all cookies of one browser to another, as an attacker who can write cookies. */
function plant(from: Actor, into: Actor, path: string): void {
  for (const pair of from.browser.cookiesFor(path).split('; ')) into.browser.keep(`${pair}; path=/`);
}

it('creates a new session at sign-in and ends the old one', async () => {
  const victim = new Actor(sourceIn(6));
  const signedOut = await victim.browser.open(victim.authorization({ prompt: 'consent' }));
  const before = session(victim.browser.cookiesFor('/'));
  await victim.signIn(signedOut);
  const after = session(victim.browser.cookiesFor('/'));
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
});

it('does not sign a planted session in with the victim’s password', async () => {
  const attacker = new Actor(sourceIn(6));
  await attacker.callback();
  const stolen = session(attacker.browser.cookiesFor('/'));

  const victim = new Actor(sourceIn(6));
  plant(attacker, victim, '/');
  const page = await victim.browser.open(victim.authorization({ prompt: 'login' }));
  await victim.signIn(page, 'lecturer');
  expect(session(victim.browser.cookiesFor('/'))).not.toBe(stolen);

  // The attacker's copy is signed out: neither the lecturer nor the student.
  const again = await attacker.browser.open(attacker.authorization({ prompt: 'none' }));
  expect(again.url.searchParams.get('error')).toBe('login_required');
});

it('shows whose session it is before a person in a planted session can approve', async () => {
  const attacker = new Actor(sourceIn(6));
  await attacker.callback();
  const victim = new Actor(sourceIn(6));
  plant(attacker, victim, '/');
  const page = await victim.browser.open(victim.authorization({ prompt: 'consent' }));
  expect(page.body).toContain('value="approve"');
  expect(page.body).toContain(personOf(site, 'student').email);
});

it('gives an attacker nothing for an interaction that the victim finished', async () => {
  const attacker = new Actor(sourceIn(6));
  const page = await attacker.browser.open(attacker.authorization({ prompt: 'consent' }));
  const path = page.url.pathname;
  expect(names(attacker.browser.cookiesFor(path))).toContain('lyceum.interaction');

  // Without the attacker's cookies the page does not exist.
  const victim = new Actor(sourceIn(6));
  expect((await victim.browser.open(path)).status).toBe(400);
  // With them, only the victim's browser gets the response to the victim's form.
  plant(attacker, victim, path);
  plant(attacker, victim, path.replace('interaction', 'authorize'));
  const [form] = postForms((await victim.browser.open(path)).body);
  const { email, password } = personOf(site, 'student');
  const submitted = await victim.send(form!.action, {
    form: new URLSearchParams([...form!.fields, ['email', email], ['password', password]]),
    headers: { cookie: victim.browser.cookiesFor(form!.action), origin: site.base_url },
  });
  const resume = new URL(submitted.headers['location']!).pathname;
  expect([submitted.status, resume]).toEqual([303, `/oauth/authorize/${path.split('/').at(-1)}`]);
  // The attacker is quicker than the victim's browser, and has all its cookies but those of that response.
  const taken = await attacker.browser.open(resume);
  expect([taken.status, session(attacker.browser.cookiesFor('/'))]).toEqual([400, undefined]);

  for (const line of submitted.headers['set-cookie']!.split(/,(?=\S+=)/)) victim.browser.keep(line);
  const consent = await victim.browser.open(resume);
  expect([consent.status, consent.body.includes('value="approve"')]).toEqual([200, true]);
});

it('does not adopt a made-up session', async () => {
  const victim = new Actor(sourceIn(6));
  const cookie = 'lyceum=chosen-by-the-attacker; lyceum.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const { status, headers } = await victim.send(victim.authorization({ prompt: 'none' }), { headers: { cookie } });
  expect(status).toBe(303);
  expect(new URL(headers['location']!).searchParams.get('error')).toBe('login_required');
  expect(headers['set-cookie'] ?? '').not.toContain('chosen-by-the-attacker');
});

it('ignores a session cookie without its signature', async () => {
  const victim = new Actor(sourceIn(6));
  const { client_id } = memberServer;
  await victim.callback({ client_id });
  const silent = victim.authorization({ client_id, prompt: 'none' });
  const cookie = victim.browser.cookiesFor('/oauth/authorize');
  const authorizeWith = async (sent: string): Promise<URLSearchParams> => {
    const { headers } = await victim.send(silent, { headers: { cookie: sent } });
    return new URL(headers['location']!).searchParams;
  };
  expect((await authorizeWith(cookie)).get('code')).toEqual(expect.any(String));
  const unsigned = cookie.split('; ').filter((pair) => !pair.includes('.sig='));
  expect((await authorizeWith(unsigned.join('; '))).get('error')).toBe('login_required');
});
