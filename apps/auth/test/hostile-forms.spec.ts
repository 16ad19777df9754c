import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@lyceum/testing';
import { CALLBACK, PASSWORD } from './auth.js';
import { FormStage, ROLES } from './form-stage.js';
import type { Role, Scene } from './form-stage.js';
import { formOn, formsOf, openPage, pageRoutes } from './page-forms.js';
import type { PageForm, Route } from './page-forms.js';

type Values = readonly (readonly [string, string])[];

const MARKUP = `"'><script>alert(7)</script><img src=x onerror=alert(7)>`;
const HOSTILE: Readonly<Record<string, string>> = {
  markup: MARKUP,
  'text from right to left': 'a\u202egpj.exe\u2066b',
  'a zero width': 'ad\u200bmin\u200d\ufeff',
  '10,000 characters': 'x'.repeat(10_000),
  'a NUL and half a line': 'a\0b\r\nset-cookie: x=1',
};
/** Finds values that the page did not escape, and invisible characters outside of fields. */
const UNESCAPED = /<script>alert|<img src=x/;
const INVISIBLE = /[\u202e\u2066\u200b\ufeff]/;
const NOT_OF_PAGES: readonly string[] = [
  // Sent by applications.
  '/api/oauth/register',
  '/api/oauth/userinfo',
  // The same as GET (OpenID Connect Core 1.0 §3.1.2.1, RP-Initiated Logout 1.0 §2).
  '/oauth/authorize',
  '/oauth/logout',
];
/** Statuses other than 403: a password is asked for again, a picture is no urlencoded form, a choice starts again. */
const OTHER_REFUSALS: Readonly<Record<string, number>> = {
  '/account/invitation': 422,
  '/account/profile/picture': 415,
  '/oauth/accounts': 400,
};
/** Each try and each download counts, and each sign-out from everywhere ends the sessions that exist at that moment. */
const EACH_TIME: readonly string[] = [
  'sign_in.failed',
  'sign_in.succeeded',
  'session.ended',
  'signed_out.everywhere',
  'data.exported',
];

let stage: FormStage;
let routes: readonly Route[];
/** Each form once, for the first role that has it. */
const forms = new Map<string, PageForm>();
const counts: Partial<Record<Role, number>> = {};

beforeAll(async () => {
  stage = await FormStage.start();
  await stage.restore();
  routes = pageRoutes(stage.auth);
  for (const role of ROLES) {
    const found = await formsOf(await stage.scene(role), role, routes);
    counts[role] = found.size;
    for (const [key, form] of found) if (!forms.has(key)) forms.set(key, form);
  }
});
beforeEach(() => stage.restore());
afterAll(() => stage.stop());

/** Values that a person could send. */
function plausible({ name, type, value }: { name: string; type: string; value: string }, scene: Scene): string {
  const typed: Readonly<Record<string, string>> = {
    email: `other-${scene.email}`,
    name: 'A name',
    current: PASSWORD,
    password: 'another-long-password',
    redirect_uris: CALLBACK,
    kind: 'confidential',
    host: 'app.example.com',
    locale: 'en',
    timezone: 'Asia/Taipei',
    accent_color: '#7a1f1f',
  };
  return type === 'hidden' || type === 'submit' || type === 'checkbox' || type === 'radio'
    ? value
    : (typed[name] ?? '');
}

interface Filled {
  readonly scene: Scene;
  readonly action: URL;
  readonly values: Values;
}

/** Fills the form in, on its page. Undefined when the page does not have it any more. */
async function filledIn(scene: Scene, form: PageForm): Promise<Filled | undefined> {
  const page = await openPage(scene, form.page);
  const here = formOn(scene, page, form);
  if (here === undefined) return undefined;
  // The first of several buttons and options with a name is used.
  const used = here.controls.filter(
    ({ name, type }, at) =>
      !['submit', 'radio'].includes(type) || here.controls.findIndex((one) => one.name === name) === at,
  );
  const values = used.map((control) => [control.name, plausible(control, scene)] as const);
  return { scene, action: new URL(here.action, page.url), values };
}

/** The current scene of each role. */
const scenes = new Map<Role, Scene>();

/** Fills the form in. An earlier form may have ended what the page is about; then a new scene has it again. */
async function fill(form: PageForm): Promise<Filled> {
  const { role } = form;
  await stage.auth.resetLimits();
  const current = scenes.get(role);
  const again = current && (await filledIn(current, form));
  if (again !== undefined) return again;
  const scene = await stage.scene(role);
  scenes.set(role, scene);
  const filled = await filledIn(scene, form);
  if (filled === undefined) throw new Error(`${form.page} has no form with ${form.names}`);
  return filled;
}

function send({ isPost }: PageForm, { scene, action, values }: Filled, change = (all: Values) => all): Promise<Page> {
  const sent = new URLSearchParams(change(values).map(([name, value]): [string, string] => [name, value]));
  if (isPost) return scene.flow.browser.open(action, sent);
  const url = new URL(action);
  url.search = sent.toString();
  return scene.flow.browser.open(url);
}

const posts = (): PageForm[] => [...forms.values()].filter(({ isPost }) => isPost);
const fieldsOf = (form: PageForm): string[] => form.names.split(' ').filter((name) => !['', 'csrf'].includes(name));

function expectHarmless({ status, body }: Page, what: unknown): void {
  // The file of the audit log is not a page.
  if (!body.startsWith('<!doctype html>')) return expect([what, status < 500]).toEqual([what, true]);
  const shown = body.replaceAll(/<input\b[^>]*>|<(textarea|option)\b[^>]*>[^]*?<\/\1>/g, '');
  expect([what, status < 500, UNESCAPED.test(body), INVISIBLE.test(shown)]).toEqual([what, true, false, false]);
}

const auditOf = async (): Promise<Map<string, number>> => {
  const rows = await stage.auth.sql<{ event: string; n: number }>(
    'select event, count(*)::int as n from audit_log group by event',
  );
  return new Map(rows.map(({ event, n }) => [event, n]));
};
const COUNTED = ['clients', 'people', 'site_members', 'passkeys', 'email_changes', 'form_submissions'];
const rowsOf = async (): Promise<Map<string, number>> => {
  const select = COUNTED.map((table) => `select '${table}' as event, count(*)::int as n from ${table}`);
  const rows = await stage.auth.sql<{ event: string; n: number }>(select.join(' union all '));
  return new Map(rows.map(({ event, n }) => [event, n]));
};
const grown = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...after].map(([name, n]) => [name, n - (before.get(name) ?? 0)]));

/** Paths of documents, files and scripts, and of the steps of an authorization. */
const NO_PAGES =
  /^\/(?:\.well-known|api|auth\.md|llms\.txt|oauth\/(?:authorize|interaction|accounts|logos)|docs\/assets|account\/(?:pictures|scripts|style)|admin\/audit\/export)/;

describe('The pages', () => {
  it('declares for each path of the router who may see it', () => {
    const rows = JSON.parse(readFileSync(join(__dirname, '../preview/page-roles.json'), 'utf8')) as object;
    const paths = routes.filter(({ method, path }) => method === 'GET' && !NO_PAGES.test(path)).map(({ path }) => path);
    expect(Object.keys(rows).toSorted()).toEqual(paths.toSorted());
  });
});

describe('Every form of the pages', () => {
  it('stands on a page for each route that reads one', () => {
    const actions = [...forms.values()].map(({ action }) => action.split('?')[0] ?? '');
    const matches = (path: string): boolean =>
      actions.some((action) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(action));
    const missing = routes.filter(({ method, path }) => method === 'POST' && !matches(path)).map(({ path }) => path);
    expect(missing.toSorted()).toEqual(NOT_OF_PAGES.toSorted());
    expect(forms.size).toBeGreaterThan(45);
    expect(counts.owner).toBeGreaterThan(counts.student ?? 0);
    expect(counts.student).toBe(counts.lecturer);
  });

  it('changes nothing without its token, with a forged and with an empty one', async () => {
    const nothing = new Map(COUNTED.map((table) => [table, 0]));
    for (const form of posts())
      for (const csrf of [[], ['forged'], ['']]) {
        const filled = await fill(form);
        const [before, audited] = [await rowsOf(), await auditOf()];
        const tokens = csrf.map((token) => ['csrf', token] as const);
        const { status, body } = await send(form, filled, (values) => [
          ...values.filter(([name]) => name !== 'csrf'),
          ...tokens,
        ]);
        const refused = OTHER_REFUSALS[form.action] ?? 403;
        expect([form.action, csrf, status, UNESCAPED.test(body)]).toEqual([form.action, csrf, refused, false]);
        expect([form.action, grown(before, await rowsOf())]).toEqual([form.action, nothing]);
        expect([form.action, [...grown(audited, await auditOf()).values()].filter((n) => n > 0)]).toEqual([
          form.action,
          [],
        ]);
      }
  });

  it.each(Object.entries(HOSTILE))('survives %s in all fields', async (_kind, hostile) => {
    for (const form of forms.values()) {
      const page = await send(form, await fill(form), (values) =>
        values.map(([name, value]) => [name, name === 'csrf' ? value : hostile]),
      );
      expectHarmless(page, [form.action, form.names]);
    }
  });

  it('survives markup, invisible characters and repetitions in one field, beside good values', async () => {
    for (const form of forms.values())
      for (const field of fieldsOf(form)) {
        for (const hostile of [MARKUP, 'a\u202egpj.exe\u200b']) {
          const page = await send(form, await fill(form), (values) =>
            values.map(([name, value]) => [name, name === field ? hostile : value]),
          );
          expectHarmless(page, [form.action, field, hostile]);
        }
        const repeated = await send(form, await fill(form), (values) => [...values, [field, MARKUP], [field, 'x']]);
        expectHarmless(repeated, [form.action, field, 'repeated']);
      }
  });

  it('takes effect once when it is sent twice at once', async () => {
    const doubled: unknown[] = [];
    for (const form of posts()) {
      const filled = await fill(form);
      const [audit, rows] = [await auditOf(), await rowsOf()];
      const twice = await Promise.all([send(form, filled), send(form, filled)]);
      for (const page of twice) expectHarmless(page, [form.action, 'twice']);
      const events = [...grown(audit, await auditOf())].filter(([event, n]) => n > 1 && !EACH_TIME.includes(event));
      const added = [...grown(rows, await rowsOf())].filter(([, n]) => n > 1);
      if (events.length + added.length > 0) doubled.push([form.action, form.names, ...events, ...added]);
    }
    expect(doubled).toEqual([]);
  });

  it('leaves nothing on any page that runs or hides text', async () => {
    for (const role of ROLES) {
      const scene = await stage.scene(role);
      let pages = 0;
      await formsOf(scene, role, routes, (page, path) => {
        pages += 1;
        expectHarmless(page, path);
      });
      expect(pages).toBeGreaterThan(20);
    }
  });
});
