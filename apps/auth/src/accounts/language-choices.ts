import { readerLanguage, say } from '@lyceum/messages';
import type { Select } from '@lyceum/pages';

/** Languages of many people. A profile may have any other by an application or an operator. */
const LANGUAGES = [
  'ar',
  'bn',
  'de',
  'en',
  'es',
  'fr',
  'he',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'ms',
  'nl',
  'pl',
  'pt-BR',
  'pt-PT',
  'ru',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-CN',
  'zh-TW',
];

const SCRIPTS: Readonly<Record<string, string>> = { 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** The name of a language in that language. The tag where no name is known. */
function nameOf(tag: string): string {
  const written = SCRIPTS[tag] ?? tag;
  const name = new Intl.DisplayNames([written], { type: 'language', languageDisplay: 'standard' }).of(written) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** The choices of a form with the language `chosen`, by their names. `none`: the words for no language. */
export function languageChoices(chosen: string, none = say('profile.no_language')): Select['choices'] {
  const isOther = chosen !== '' && !LANGUAGES.includes(chosen);
  const named = LANGUAGES.map((value) => ({ value, words: nameOf(value), lang: value }));
  const byName = new Intl.Collator(readerLanguage());
  return [
    { value: '', words: none },
    ...named.toSorted((one, other) => byName.compare(one.words, other.words)),
    ...(isOther ? [{ value: chosen, words: chosen }] : []),
  ];
}
