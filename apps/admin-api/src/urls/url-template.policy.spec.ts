import { urlOf, urlVersions } from './object-url.js';
import { urlTemplates } from './url-template.policy.js';

const SITE = 'https://www.example.com';
const faultOf = (templates: object): string | undefined => urlTemplates.safeParse(templates).error?.issues[0]?.message;

describe('a URL template', () => {
  it.each([
    { course: `${SITE}/courses/{slug}` },
    { course: `${SITE}/c?id={id}#top` },
    { lecture: `${SITE}/courses/{course_slug}/{slug}` },
    { lecturer: `${SITE}/teachers/{slug}-{id}` },
    { course: null },
  ])('accepts %j', (templates) => {
    expect(faultOf(templates)).toBeUndefined();
  });

  it.each([
    [{ course: 'http://www.example.com/{slug}' }, /https/],
    [{ course: '/courses/{slug}' }, /https/],
    [{ course: 'https://{slug}.example.com/' }, /host/],
    [{ course: `${SITE}/{slug}/{name}` }, /placeholders are \{id\}, \{slug\}$/],
    [{ course: `${SITE}/{course_slug}/{slug}` }, /placeholders are/],
    [{ course: `${SITE}/{slug}/{` }, /Braces/],
    [{ course: `${SITE}/{slug}/{}` }, /placeholders are/],
    [{ course: `${SITE}/courses` }, /\{id\} or \{slug\}/],
    [{ lecture: `${SITE}/{course_slug}` }, /\{id\} or \{slug\}/],
    [{ post: `${SITE}/{slug}` }, /^Unknown name/],
  ])('refuses %j', (templates, message) => {
    expect(faultOf(templates)).toMatch(message);
  });

  it('accepts at most 500 characters', () => {
    const start = `${SITE}/{slug}/`;
    expect(faultOf({ course: start.padEnd(500, 'x') })).toBeUndefined();
    expect(faultOf({ course: start.padEnd(501, 'x') })).toMatch(/500/);
  });
});

describe('the URL of an object', () => {
  it('contains the values of the row, percent-encoded', () => {
    const url_part = { template: `${SITE}/{course_slug}/{slug}?of={course_id}#{id}`, version: 3, course_slug: 'a b' };
    const row = { id: '1', slug: 'c/d', course_id: '2', url_part };
    expect([urlOf(row), urlVersions(row)]).toEqual([`${SITE}/a%20b/c%2Fd?of=2#1`, [3]]);
  });

  it.each([null, undefined])('stays absent without a template (%p)', (url_part) => {
    const row = { id: '1', slug: 'a', ...(url_part === null && { url_part }) };
    expect([urlOf(row), urlVersions(row)]).toEqual([undefined, []]);
  });
});
