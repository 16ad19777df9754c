import { queryOf } from '@lyceum/platform';
import type { Reader } from '@lyceum/platform';

/** Languages of the catalog. The first one is the fallback. */
export const LANGUAGES = ['en', 'zh-TW'] as const;
export type Language = (typeof LANGUAGES)[number];

/** More tags of one source are ignored, because each is parsed for each page. */
export const MAX_TAGS = 20;

/**
 * The language of the catalog for a tag. Regions share one: `en-GB` reads `en`. Chinese goes by script, so that
 * `zh-Hant`, `zh-HK` and `zh-TW` read `zh-TW`, and `zh-CN`, which is in simplified characters, does not.
 */
export function languageOf(tag: string): Language | undefined {
  // Most people and sites name none, and the error of `Intl` for it takes 20 µs.
  if (tag === '') return undefined;
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'en') return 'en';
    return language === 'zh' && script === 'Hant' ? 'zh-TW' : undefined;
  } catch {
    return undefined;
  }
}

/** The language tags of `ui_locales` (OpenID Connect Core §3.1.2.1). */
export const requestedTags = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ').filter((tag) => tag !== '') : [];

/** The tags of `ui_locales` in the address of a page. */
export function requestedBy(url: string): string[] {
  // Most requests have none.
  if (!url.includes('ui_locales=')) return [];
  return requestedTags(new URLSearchParams(queryOf(url)).get('ui_locales'));
}

/** The languages of the catalog among tags, in their order. */
export function supportedLanguages(tags: readonly string[]): Language[] {
  const languages = tags.slice(0, MAX_TAGS).map(languageOf);
  return [...new Set(languages.filter((language) => language !== undefined))];
}

/** Tags of an `Accept-Language` header by weight (RFC 9110 §12.5.4). Equal weights keep their order. */
export function acceptedTags(header: string | undefined): string[] {
  const ranges = (header ?? '').split(',', MAX_TAGS).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = ranges.filter(({ tag, weight }) => tag !== '' && weight > 0);
  return wanted.toSorted((one, other) => other.weight - one.weight).map(({ tag }) => tag);
}

/** The first language of the catalog among those of the request, the person, the site and the browser. */
export function chooseLanguage({ requested = [], person, site, accepted }: Reader): Language {
  const [language] = supportedLanguages(requested);
  return (
    language ??
    languageOf(person ?? '') ??
    languageOf(site ?? '') ??
    supportedLanguages(acceptedTags(accepted))[0] ??
    LANGUAGES[0]
  );
}
