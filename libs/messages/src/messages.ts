import { Html, currentReader, html } from '@lyceum/platform';
import type { Reader } from '@lyceum/platform';
import { IntlMessageFormat } from 'intl-messageformat';
import type { ArgumentsOf } from './arguments.js';
import { en } from './en/index.js';
import { LANGUAGES, chooseLanguage } from './languages.policy.js';
import type { Language } from './languages.policy.js';
import { zhTW } from './zh-tw/index.js';

export type MessageKey = keyof typeof en;

type Arguments<Key extends MessageKey, Value> = [ArgumentsOf<(typeof en)[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<ArgumentsOf<(typeof en)[Key]>, Value>>];

type Values = Readonly<Record<string, string | number>>;

const CATALOGS: Readonly<Record<Language, Readonly<Record<string, string | undefined>>>> = { en, 'zh-TW': zhTW };

const formats: Readonly<Record<Language, Map<string, IntlMessageFormat>>> = { en: new Map(), 'zh-TW': new Map() };

/** Parses each message once. A message without a translation is in English. */
function formatOf(language: Language, key: string): IntlMessageFormat {
  const known = formats[language].get(key);
  if (known !== undefined) return known;
  const isTranslated = Object.hasOwn(CATALOGS[language], key);
  const [tag, catalog] = isTranslated ? [language, CATALOGS[language]] : [LANGUAGES[0], CATALOGS[LANGUAGES[0]]];
  const text = Object.hasOwn(catalog, key) ? (catalog[key] ?? '') : '';
  // Markup comes from arguments: a "<" is no tag.
  const made = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
  formats[language].set(key, made);
  return made;
}

const chosen = new WeakMap<Reader, Language>();

/** The language of the texts for the reader of this request; English without one. */
export function readerLanguage(): Language {
  const reader = currentReader();
  if (reader === undefined) return LANGUAGES[0];
  const language = chosen.get(reader) ?? chooseLanguage(reader);
  chosen.set(reader, language);
  return language;
}

const format = (language: Language, key: string, values: Values | undefined): string =>
  formatOf(language, key)
    .formatToParts<string>(values)
    .map(({ value }) => value)
    .join('');

/** A text in the language of the reader. */
export function say<Key extends MessageKey>(key: Key, ...values: Arguments<Key, string | number>): string {
  return format(readerLanguage(), key, values.at(0));
}

/** A text in the language of the reader, with markup in place of arguments. Other text is escaped. */
export function phrase<Key extends MessageKey>(key: Key, ...values: Arguments<Key, string | number | Html>): Html {
  const parts = formatOf(readerLanguage(), key).formatToParts<Html>(values.at(0));
  return html`${parts.map(({ value }) => value)}`;
}

/** Formats a message whose key or arguments come from data. Empty for an unknown message and a missing argument. */
export function textIn(language: Language, key: string, values: Values): string {
  try {
    return format(language, key, values);
  } catch {
    // A row lacks an argument. One bad message must not fail the whole list.
    return '';
  }
}
