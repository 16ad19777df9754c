import { isTemplate, matchUri } from './resource-uri.policy.js';

const COURSE = 'school://courses/{slug}';
const LECTURE = 'school://courses/{slug}/lectures/{lecture_id}';

describe('matchUri', () => {
  it.each([
    ['school://profile', 'school://profile', {}],
    [COURSE, 'school://courses/drawing', { slug: 'drawing' }],
    [COURSE, 'school://courses/a%20b%2Fc', { slug: 'a b/c' }],
    [COURSE, 'school://courses/ÿ', { slug: 'ÿ' }],
    [LECTURE, 'school://courses/drawing/lectures/7', { slug: 'drawing', lecture_id: '7' }],
    ['school://a.b/{slug}', 'school://a.b/x', { slug: 'x' }],
  ])('matches %s: %s', (template, uri, variables) => {
    expect(matchUri(template, uri)).toEqual(variables);
  });

  it.each([
    ['school://profile', 'school://profile/'],
    ['school://profile', 'school://profil'],
    ['school://profile', 'SCHOOL://profile'],
    [COURSE, 'school://courses/'],
    [COURSE, 'school://courses/a/b'],
    [COURSE, 'school://courses/a?b'],
    [COURSE, 'school://courses/a#b'],
    [COURSE, 'school://courses/%'],
    [COURSE, 'school://courses/%ff'],
    [COURSE, 'xschool://courses/a'],
    [COURSE, 'school://courses/a\nschool://courses/b/'],
    ['school://a.b/{slug}', 'school://aXb/x'],
  ])('does not match %s: %s', (template, uri) => {
    expect(matchUri(template, uri)).toBeUndefined();
  });

  it('recognizes a template by its variables', () => {
    expect(isTemplate({ uri: COURSE })).toBe(true);
    expect(isTemplate({ uri: 'school://profile' })).toBe(false);
  });
});
