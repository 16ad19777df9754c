import { type Page, postForms } from '@lyceum/testing';
import { eventually } from '../../eventually.js';
import { personOf } from '../../stack/system-stack.js';
import { Actor, AUTH, member, outcome, rawHttp, site, sourceIn } from './attack.js';

const known = personOf(site, 'lecturer').email;
const PASSWORD = 'not-the-password';
let nobody = 0;
const unknown = (): string => `nobody-${Date.now()}-${nobody++}@harbour.example`;

/** What a passkey would have to answer is another each time. */
const withoutChallenge = (body: string): string => body.replace(/(?<=challenge&quot;:&quot;)[\w-]+/, '');

/** The page but for what is of this one interaction, and the address that was typed. */
const shown = ({ status, body }: Page, email: string): readonly [number, string] => [
  status,
  withoutChallenge(body)
    .replaceAll(/(name="csrf" value|action)="[^"]*"/g, '')
    .replaceAll(email, ''),
];

async function attempt(actor: Actor, email: string): Promise<Page> {
  const page = await actor.browser.open(actor.authorization({ prompt: 'login' }));
  return actor.submit(page, 'password', { email, password: PASSWORD });
}

it('the answer is the same for an account and for none', async () => {
  const actor = new Actor(sourceIn(29));
  const stranger = unknown();
  const [wrong, none] = [await attempt(actor, known), await attempt(actor, stranger)];
  expect(wrong.status).toBe(422);
  expect(shown(wrong, known)).toEqual(shown(none, stranger));
  // The right password is the only way to another answer.
  const page = await actor.browser.open(actor.authorization({ prompt: 'login' }));
  expect((await actor.signIn(page, 'lecturer')).status).not.toBe(422);
});

it('and so is the slowing down', async () => {
  const answers: (readonly [number, string])[][] = [];
  for (const email of [personOf(site, 'admin').email, unknown()]) {
    const actor = new Actor(sourceIn(30));
    const page = await actor.browser.open(actor.authorization({ prompt: 'login' }));
    const pages: (readonly [number, string])[] = [];
    for (let guess = 0; guess < 6; guess += 1)
      pages.push(shown(await actor.submit(page, 'password', { email, password: PASSWORD }), email));
    answers.push(pages);
  }
  expect(answers[0]!.map(([status]) => status)).toEqual([422, 422, 422, 422, 422, 429]);
  // But for the seconds that are left.
  const text = (pages: (readonly [number, string])[]) =>
    pages.map(([status, body]) => [status, body.replace(/\d+ seconds/, '')]);
  expect(text(answers[1]!)).toEqual(text(answers[0]!));
});

it.each([
  ['no address', 'nobody'],
  ['an empty address', ''],
  ['an address without an end', `${'a'.repeat(2000)}@harbour.example`],
  ['a wildcard', '%@harbour.example'],
  ['an injection', "' OR 1=1 --@harbour.example"],
])('%s is answered like an account that does not exist', async (_what, email) => {
  const page = await attempt(new Actor(sourceIn(31)), email);
  expect(page.status).toBe(422);
});

/** How many passwords auth has hashed to compare them, by whether there was an account. */
async function hashes(): Promise<Record<string, number>> {
  const { text } = await rawHttp(AUTH.management_url, '/metrics');
  const lines = text.matchAll(/^auth_password_hashes_compared_total\{[^}]*account="(\w+)"[^}]*\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, account = '', count]) => [account, Number(count)]));
}

it('the work is the same: a password is hashed for every account that does not exist', async () => {
  const before = await hashes();
  for (let guess = 0; guess < 3; guess += 1)
    expect((await attempt(new Actor(sourceIn(31)), unknown())).status).toBe(422);
  expect((await attempt(new Actor(sourceIn(31)), known)).status).toBe(422);
  const after = await eventually(hashes, ({ none = 0 }) => none >= (before['none'] ?? 0) + 3);
  expect(after['known']).toBeGreaterThan(before['known'] ?? 0);
});

it('a hint of an account is only repeated, never looked up', async () => {
  const pages: string[] = [];
  for (const login_hint of [known, unknown()]) {
    const actor = new Actor(sourceIn(31));
    const page = await actor.browser.open(actor.authorization({ login_hint }));
    const [form] = postForms(page.body);
    pages.push(
      withoutChallenge(page.body)
        .replaceAll(form!.fields.get('csrf')!, '')
        .replaceAll(page.url.pathname, '')
        .replaceAll(login_hint, ''),
    );
  }
  expect(pages[0]).toBe(pages[1]);
});

it('clients cannot be told apart from none either: unknown, of another site, and with a wrong secret', async () => {
  const actor = new Actor(sourceIn(31));
  const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'wrong' };
  const answers = [];
  for (const client_id of ['nobody', 'orchard-member-server', 'harbour-member-server', member.client_id])
    answers.push(await actor.token({ ...grant, client_id }));
  for (const answer of answers) expect(outcome(answer)).toEqual([401, 'invalid_client']);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
