import { IntlMessageFormat } from 'intl-messageformat';
import { en } from './en/index.js';
import type { Language } from './languages.policy.js';
import { zhTW } from './zh-tw/index.js';

interface Entry {
  readonly text: string;
  /** Names of the arguments, with those inside of plural and select rules. */
  readonly arguments: ReadonlySet<string>;
}

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

function argumentsIn(parts: readonly Part[], found = new Set<string>()): Set<string> {
  for (const part of parts) {
    if ('options' in part) Object.values(part.options).forEach(({ value }) => argumentsIn(value, found));
    // 0 is literal text, 7 the number sign of a plural.
    if (part.type !== 0 && part.type !== 7) found.add(part.value);
  }
  return found;
}

const entriesOf = (messages: Readonly<Record<string, string | undefined>>): Map<string, Entry> =>
  new Map(
    Object.entries(messages).map(([key, text = '']) => {
      const format = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true });
      return [key, { text, arguments: argumentsIn(format.getAst()) }];
    }),
  );

/** All messages of all languages, for checks of their names and arguments. */
export const catalogs = (): Readonly<Record<Language, ReadonlyMap<string, Entry>>> => ({
  en: entriesOf(en),
  'zh-TW': entriesOf(zhTW),
});
