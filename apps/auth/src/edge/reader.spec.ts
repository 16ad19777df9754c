import { runForReader } from '@lyceum/platform';
import { readerLanguage } from '@lyceum/messages';
import type { SiteRecord } from '#src/sites/site.js';
import { inRequestedLanguage, readAsVisitor } from './reader.js';

function languageAt(url: string, locale: string | null, accepted?: string): string {
  return runForReader({}, () => {
    readAsVisitor({ url, headers: { 'accept-language': accepted } }, {
      school: { locale, timezone: null },
    } as SiteRecord);
    return readerLanguage();
  });
}

it.each([
  ['/account', null, undefined, 'en'],
  ['/account', null, 'zh-TW,zh;q=0.9,en;q=0.8', 'zh-TW'],
  ['/account', 'en', 'zh-TW', 'en'],
  ['/account', 'zh-TW', 'en', 'zh-TW'],
  ['/oauth/authorize?client_id=x&ui_locales=zh-TW%20en', 'en', 'en', 'zh-TW'],
  ['/oauth/authorize?ui_locales=fr+zh-TW', 'en', 'en', 'zh-TW'],
  ['/oauth/authorize?ui_locales=', null, 'zh-TW', 'zh-TW'],
  ['/administration', 'zh-TW', undefined, 'zh-TW'],
  ['/', 'zh-TW', 'en', 'zh-TW'],
  ['/?ui_locales=zh-TW', 'en', 'en', 'zh-TW'],
  ['/admin/audit?page=2', 'zh-TW', 'en', 'zh-TW'],
  ['/docs/guides', 'zh-TW', 'en', 'zh-TW'],
  ['/member/explorer?ui_locales=zh-TW', null, 'en', 'zh-TW'],
])('shows %s of a site in %j to a browser with %j in %s', (url, locale, accepted, language) => {
  expect(languageAt(url, locale, accepted)).toBe(language);
});

it('keeps the requested language on a page outside of the interaction', () => {
  const kept = (requested: readonly string[]) =>
    runForReader({ requested }, () => inRequestedLanguage('/account/password'));
  expect([kept([]), kept(['zh-Hant', 'en'])]).toEqual(['/account/password', '/account/password?ui_locales=zh-TW']);
  expect(inRequestedLanguage('/account/password')).toBe('/account/password');
});
