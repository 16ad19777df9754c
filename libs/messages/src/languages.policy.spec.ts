import {
  MAX_TAGS,
  acceptedTags,
  chooseLanguage,
  languageOf,
  requestedBy,
  requestedTags,
  supportedLanguages,
} from './languages.policy.js';

it.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['zh-TW', 'zh-TW'],
  ['zh-tw', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hant-TW', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['zh', undefined],
  ['zh-CN', undefined],
  ['zh-Hans-TW', undefined],
  ['de', undefined],
  ['*', undefined],
  ['', undefined],
  ['x'.repeat(100), undefined],
  ['constructor', undefined],
])('maps the tag %j to %j', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

it.each([
  [undefined, []],
  ['zh-TW', ['zh-TW']],
  ['de;q=0.5, zh-TW;q=0.9, en;q=0.9', ['zh-TW', 'en', 'de']],
  ['en;q=0, zh-TW;q=x, de ; q=0.1', ['de']],
])('orders the header %j', (header, tags) => {
  expect(acceptedTags(header)).toEqual(tags);
});

it('prefers the request, then the person, the site and the browser', () => {
  const [requested, person, site, accepted] = [['zh-TW'], 'en', 'zh-TW', 'en'];
  expect(chooseLanguage({ requested, person, site, accepted })).toBe('zh-TW');
  expect(chooseLanguage({ person, site, accepted })).toBe('en');
  expect(chooseLanguage({ site, accepted })).toBe('zh-TW');
  expect(chooseLanguage({ accepted: 'zh-TW,en' })).toBe('zh-TW');
  expect(chooseLanguage({})).toBe('en');
});

it('lists each language of the catalog once', () => {
  expect(supportedLanguages(['fr', 'zh-HK', 'en-GB', 'zh-TW', 'en', 'x'])).toEqual(['zh-TW', 'en']);
});

it('passes over languages without a catalog', () => {
  const reader = { requested: ['fr', 'ja'], person: null, site: 'de', accepted: 'ko, zh-TW;q=0.5, en;q=0.4' };
  expect(chooseLanguage(reader)).toBe('zh-TW');
});

it('reads a limited number of tags of each source', () => {
  const others = Array.from({ length: MAX_TAGS - 1 }, () => 'fr');
  expect(chooseLanguage({ requested: [...others, 'zh-TW'] })).toBe('zh-TW');
  expect(chooseLanguage({ requested: [...others, 'fr', 'zh-TW'] })).toBe('en');
  expect(chooseLanguage({ accepted: [...others, 'zh-TW'].join() })).toBe('zh-TW');
  expect(chooseLanguage({ accepted: [...others, 'fr', 'zh-TW'].join() })).toBe('en');
});

it('reads no tags from a missing or repeated parameter', () => {
  expect([requestedTags(undefined), requestedTags(['zh-TW']), requestedTags('  ')]).toEqual([[], [], []]);
});

it('reads the tags of an address', () => {
  const addresses = [
    '/connect',
    '/connect?ui_locales=',
    '/connect?x=1&ui_locales=fr+zh-TW%20en',
    '/connect?x=1?&ui_locales=zh-TW',
  ];
  expect(addresses.map(requestedBy)).toEqual([[], [], ['fr', 'zh-TW', 'en'], ['zh-TW']]);
});
