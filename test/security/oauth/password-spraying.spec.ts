import { postForms } from '@lyceum/testing';
import { personOf } from '../../stack/system-stack.js';
import { Actor, site, sourceIn, type ApiResponse } from './attack.js';

/** Refused without hashing, so that a busy machine sends all attempts within the minute. */
const SPRAYED = 'Summer2026!'.repeat(30);

/** An open sign-in page whose form can be posted repeatedly. */
async function signInForm(source: string): Promise<(email: string, password: string) => Promise<ApiResponse>> {
  const actor = new Actor(source);
  const [form] = postForms((await actor.browser.open(actor.authorization({ prompt: 'login' }))).body);
  const cookie = actor.browser.cookiesFor(form!.action);
  return (email, password) => {
    const fields = new URLSearchParams([...form!.fields, ['email', email], ['password', password]]);
    return actor.send(form!.action, { form: fields, headers: { cookie, origin: site.base_url } });
  };
}

it('stops one password on many accounts, although no account is tried twice', async () => {
  const spray = await signInForm(sourceIn(32));
  const seen: ApiResponse[] = [];
  // In tens; twice the limit of unknown browsers and ten, because the window may turn in between.
  for (let round = 0; round < 61 && seen.at(-1)?.status !== 429; round += 1) {
    const emails = Array.from({ length: 10 }, (_, index) => `victim-${round * 10 + index}@harbour.example`);
    seen.push(...(await Promise.all(emails.map((email) => spray(email, SPRAYED)))));
  }
  expect(seen.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(422));
  const last = seen.at(-1)!;
  expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
  // The account with this password is not distinguishable.
  const { email, password } = personOf(site, 'admin');
  expect((await spray(email, password)).status).toBe(429);
  // People from other sources can still sign in.
  const elsewhere = await signInForm(sourceIn(33));
  expect((await elsewhere(email, password)).status).toBe(303);
});
