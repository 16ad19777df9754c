import { eventually, postForms, type Page } from '@lyceum/testing';
import { personOf } from '../../stack/system-stack.js';
import { Actor, AUTH, member, outcome, rawHttp, site, sourceIn } from './attack.js';

const known = personOf(site, 'lecturer').email;
const PASSWORD = 'not-the-password';
let addresses = 0;
const unknown = (): string => `unknown-${Date.now()}-${addresses++}@harbour.example`;

/** Removes the challenge of a passkey, which is random. */
const withoutChallenge = (body: string): string => body.replace(/(?<=challenge&quot;:&quot;)[\w-]+/, '');

/** The page without the ids of the interaction and the typed address. */
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

it('returns the same response for an account and for an unknown address', async () => {
  const actor = new Actor(sourceIn(29));
  const stranger = unknown();
  const [wrong, none] = [await attempt(actor, known), await attempt(actor, stranger)];
  expect(wrong.status).toBe(422);
  expect(shown(wrong, known)).toEqual(shown(none, stranger));
  // Only the right password leads to another response.
  const page = await actor.browser.open(actor.authorization({ prompt: 'login' }));
  expect((await actor.signIn(page, 'lecturer')).status).not.toBe(422);
});

it('slows down attempts on an account and on an unknown address alike', async () => {
  const responses: (readonly [number, string])[][] = [];
  for (const email of [personOf(site, 'admin').email, unknown()]) {
    const actor = new Actor(sourceIn(30));
    const page = await actor.browser.open(actor.authorization({ prompt: 'login' }));
    const pages: (readonly [number, string])[] = [];
    for (let guess = 0; guess < 6; guess += 1)
      pages.push(shown(await actor.submit(page, 'password', { email, password: PASSWORD }), email));
    responses.push(pages);
  }
  expect(responses[0]!.map(([status]) => status)).toEqual([422, 422, 422, 422, 422, 429]);
  // Only the remaining seconds differ.
  const text = (pages: (readonly [number, string])[]) =>
    pages.map(([status, body]) => [status, body.replace(/\d+ seconds/, '')]);
  expect(text(responses[1]!)).toEqual(text(responses[0]!));
});

it.each([
  ['no address', 'no-address'],
  ['an empty address', ''],
  ['an address without an end', `${'a'.repeat(2000)}@harbour.example`],
  ['a wildcard', '%@harbour.example'],
  ['an injection', "' OR 1=1 --@harbour.example"],
])('treats %s like an unknown address', async (_what, email) => {
  const page = await attempt(new Actor(sourceIn(31)), email);
  expect(page.status).toBe(422);
});

/** The number of password hashes that auth has compared, by whether the account exists. */
async function hashes(): Promise<Record<string, number>> {
  const { text } = await rawHttp(AUTH.management_url, '/metrics');
  const lines = text.matchAll(/^auth_password_hashes_compared_total\{[^}]*account="(\w+)"[^}]*\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, account = '', count]) => [account, Number(count)]));
}

it('hashes a password for an unknown address, too', async () => {
  const before = await hashes();
  for (let guess = 0; guess < 3; guess += 1)
    expect((await attempt(new Actor(sourceIn(31)), unknown())).status).toBe(422);
  expect((await attempt(new Actor(sourceIn(31)), known)).status).toBe(422);
  const after = await eventually(hashes, ({ none = 0 }) => none >= (before['none'] ?? 0) + 3);
  expect(after['known']).toBeGreaterThan(before['known'] ?? 0);
});

it('repeats a login hint without looking it up', async () => {
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

it('returns the same error for an unknown client, a foreign client and a wrong secret', async () => {
  const actor = new Actor(sourceIn(31));
  const grant = { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'wrong' };
  const responses = [];
  for (const client_id of ['unknown', 'orchard-member-server', 'harbour-member-server', member.client_id])
    responses.push(await actor.token({ ...grant, client_id }));
  for (const response of responses) expect(outcome(response)).toEqual([401, 'invalid_client']);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
});
