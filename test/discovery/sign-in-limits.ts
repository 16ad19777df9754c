import { eventually, postForms } from '@lyceum/testing';
import { randomUUID } from 'node:crypto';
import { Actor, site, type ApiResponse } from '../security/oauth/attack.js';
import { personOf } from '../stack/system-stack.js';
import { expectLimit, times } from './limited.js';
import type { Proofs } from './prove.js';
import { durations, newSource, numbers, spend, sql, walker, withinOneWindow } from './walker.js';

/** Refused without hashing, so many attempts are cheap. */
const TOO_LONG = 'x'.repeat(300);

/** An open sign-in page whose form can be posted repeatedly. */
async function signInForm(source: string): Promise<(email: string) => Promise<ApiResponse>> {
  const actor = new Actor(source);
  const [form] = postForms((await actor.browser.open(actor.authorization({ prompt: 'login' }))).body);
  const cookie = actor.browser.cookiesFor(form!.action);
  return (email) => {
    const fields = new URLSearchParams([...form!.fields, ['email', email], ['password', TOO_LONG]]);
    return actor.send(form!.action, { form: fields, headers: { cookie, origin: site.base_url } });
  };
}

/** An address that no other test uses. */
const newEmail = (): string => `${randomUUID()}@discovery.example`;

/** An open password-reset page whose form can be posted repeatedly. */
async function resetForm(source: string): Promise<(email: string) => Promise<ApiResponse>> {
  const actor = new Actor(source);
  const [form] = postForms((await actor.browser.open('/account/password')).body);
  return (email) => {
    const fields = new URLSearchParams([...form!.fields, ['email', email]]);
    return actor.send(form!.action, { form: fields, headers: { origin: site.base_url } });
  };
}

/** Limits of sign-ins, password resets and passkeys. */
export const SIGN_IN_PROOFS: Proofs = {
  async 'auth.md Sign-in of one account'(statement) {
    const [free] = numbers(statement);
    const source = newSource();
    const attempt = await signInForm(source);
    const email = `${randomUUID()}@discovery.example`;
    const within: ApiResponse[] = [];
    for (let failures = 0; failures < free!; failures += 1) within.push(await attempt(email));
    expectLimit(within, await attempt(email), 422);
    // Another account at this source, and this account at another source, are not slowed down.
    expect((await attempt(`${randomUUID()}@discovery.example`)).status).toBe(422);
    expect((await (await signInForm(newSource()))(email)).status).toBe(422);
  },

  async 'auth.md Sign-in'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [within, next, other] = await withinOneWindow(window!, async (source) => {
      const attempt = await signInForm(source);
      const emails = Array.from({ length: hits! }, () => newEmail());
      const responses = await times(hits!, (index) => attempt(emails[index]!));
      return [responses, await attempt(emails[0]!), await attempt(newEmail())] as const;
    });
    expectLimit(within, next, 422);
    expect(other.status).toBe(422);
  },

  async 'auth.md Sign-in with an unknown browser'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [last, next] = await withinOneWindow(window!, async (source) => {
      const attempt = await signInForm(source);
      await spend('failed_sign_ins_of_strangers', `${site.site_id}\n${source}`, hits! - 1);
      return [await attempt(newEmail()), await attempt(newEmail())] as const;
    });
    expectLimit([last], next, 422);
  },

  async 'auth.md Sign-in of one account from everywhere'(statement) {
    const [free] = numbers(statement);
    const email = newEmail();
    const within: ApiResponse[] = [];
    while (within.length < free!) within.push(await (await signInForm(newSource()))(email));
    expectLimit(within, await (await signInForm(newSource()))(email), 422);
  },

  async 'auth.md Sign-in pages that offer passkeys'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [offered, next] = await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      const offers = async (): Promise<boolean> =>
        (await actor.browser.open('/account/sign-in')).body.includes('data-passkey');
      await spend('passkey_requests', source, hits! - 1);
      return [await offers(), await offers()] as const;
    });
    expect([offered, next]).toEqual([true, false]);
  },

  async 'auth.md Password-reset mails'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const { email } = personOf(site, 'admin');
    const links = async (): Promise<number> => {
      const [row] = await sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM invitations JOIN people USING (person_id)
          WHERE email = $1 AND purpose = 'password_reset'`,
        email,
      );
      return row!.n;
    };
    const sent = await withinOneWindow(window!, async () => {
      const before = await links();
      // Each request has another source, because the limit counts by person. All responses are equal.
      for (let index = 0; index < hits! + 2; index += 1)
        expect((await (await resetForm(newSource()))(email)).status).toBe(200);
      await eventually(links, (now) => now - before >= hits!);
      return (await links()) - before;
    });
    expect(sent).toBe(hits);
  },

  async 'auth.md Password resets'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [within, next, other] = await withinOneWindow(window!, async (source) => {
      const requestReset = await resetForm(source);
      const emails = Array.from({ length: hits! }, () => newEmail());
      const responses = await times(hits!, (index) => requestReset(emails[index]!));
      return [responses, await requestReset(emails[0]!), await requestReset(newEmail())] as const;
    });
    expectLimit(within, next, 200);
    expect(other.status).toBe(200);
  },

  async 'auth.md Password resets with an unknown browser'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [within, next] = await withinOneWindow(window!, async (source) => {
      const requestReset = await resetForm(source);
      return [await times(hits!, () => requestReset(newEmail())), await requestReset(newEmail())] as const;
    });
    expectLimit(within, next, 200);
  },

  async 'auth.md Passkeys of a person'(statement) {
    const [count, length] = numbers(statement);
    const actor = walker();
    await actor.code({}, 'lecturer');
    const { email } = personOf(site, 'lecturer');
    const add = (howMany: number): Promise<unknown> =>
      sql(
        `INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible,
                               backed_up, transports)
         SELECT $1, person_id, 'Key', uuid_send(uuidv7()), '', 0, false, false, '{}'
           FROM people, generate_series(1, $2) WHERE email = $3`,
        site.site_id,
        howMany,
        email,
      );
    const page = () => actor.browser.open('/account/passkeys');
    await add(count! - 1);
    expect((await page()).body).toContain('name="current"');
    await add(1);
    const { body } = await page();
    expect(body).not.toContain('name="current"');
    expect(body).toContain(`You have ${count}, which is the maximum.`);
    const rename = postForms(body).find(({ names }) => names.has('name'))!;
    const named = async (characters: number): Promise<number> => {
      rename.fields.set('name', 'n'.repeat(characters));
      return (await actor.browser.open(rename.action, rename.fields)).status;
    };
    expect([await named(length!), await named(length! + 1)]).toEqual([200, 422]);
    await sql('DELETE FROM passkeys USING people WHERE people.person_id = passkeys.person_id AND email = $1', email);
  },
};
