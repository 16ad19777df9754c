import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runForReader } from '@lyceum/platform';
import { GROUPS, STATES } from '../preview/states.ts';

const SOURCES = join(__dirname, '../src');
/** Files with functions that render pages. */
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?:\.page|\.form|setting-form)\.ts$/.test(file),
);
/** The pages whose forms can end at an application. */
const LEADING_TO_APPLICATIONS = [
  /^signInPage-/,
  /^accountChooserPage-/,
  /^consentPage-/,
  /^(?:signUpPage|signInLinkPage|confirmPage)-for-an-application$/,
];
/** The frames of other pages. */
const FRAMES = new Set([
  'pages/page.ts adminPage',
  'admin-area/admin.page.ts adminPage',
  'front/application.page.ts applicationPage',
]);

async function pagesOf(file: string): Promise<[string, unknown][]> {
  const module = (await import(`#src/${file.replace(/\.ts$/, '.js')}`)) as Record<string, unknown>;
  return Object.entries(module)
    .filter(([name, value]) => name.endsWith('Page') && typeof value === 'function')
    .map(([name, value]) => [`${file} ${name}`, value]);
}

describe('The list of pages with planted data', () => {
  it('shows each function that renders a page', async () => {
    const pages = (await Promise.all(FILES.map(pagesOf))).flat().filter(([name]) => !FRAMES.has(name));
    expect(pages.length).toBeGreaterThan(55);
    const shown = new Set<unknown>(STATES.map(({ of }) => of));
    expect(pages.filter(([, page]) => !shown.has(page)).map(([name]) => name)).toEqual([]);
    expect(STATES.length).toBeGreaterThan(150);
  });

  it('gives each state an address of its own', () => {
    expect(new Set(STATES.map(({ slug }) => slug)).size).toBe(STATES.length);
    expect(Object.values(GROUPS).every((states) => states.length > 0)).toBe(true);
  });

  it('sends the forms of all pages to the site alone, but those that can end at an application', () => {
    const free = STATES.filter(({ render }) => {
      const policy = render().headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/^default-src 'none'; .*; base-uri 'none'; /);
      const [forms] = /form-action[^;]*/.exec(policy) ?? [];
      expect([undefined, "form-action 'self'", "form-action 'none'"]).toContain(forms);
      return forms === undefined;
    }).map(({ slug }) => slug);
    const expected = STATES.filter(({ slug }) => LEADING_TO_APPLICATIONS.some((one) => one.test(slug)));
    expect(free).toEqual(expected.map(({ slug }) => slug));
    for (const one of LEADING_TO_APPLICATIONS) expect(free).toContainEqual(expect.stringMatching(one));
  });

  it('names the account in a field that password managers read', () => {
    const fields = STATES.flatMap(
      ({ render }) => render().body.match(/<input\b[^>]*autocomplete="username"[^>]*>/g) ?? [],
    );
    expect(fields.filter((one) => one.includes(' hidden')).length).toBeGreaterThan(4);
    expect(fields.filter((one) => one.includes('type="hidden"'))).toEqual([]);
  });

  it.each(['en', 'zh-TW'])('renders whole pages within 60 KB, in %s', (language) => {
    for (const { slug, render } of STATES) {
      const { status, body } = runForReader({ requested: [language] }, render);
      expect([
        slug,
        status >= 200 && status < 600,
        body.match(/<h1/g)?.length,
        body.includes(`<html lang="${language}"`),
      ]).toEqual([slug, true, 1, true]);
      expect([slug, Buffer.byteLength(body) <= 60 * 1024, /\[object |[>"]undefined[<"]/.test(body)]).toEqual([
        slug,
        true,
        false,
      ]);
    }
  });
});
