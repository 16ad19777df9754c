import { chooseLanguage, textIn } from '@lyceum/messages';

export type Parameters = Readonly<Record<string, string | number | null>>;

/** The reader of a text: the languages of the member and of the site. */
export interface TextReader {
  readonly person: string | null;
  readonly site: string | null;
}

/** The last choice: all messages of a response have one reader, and `Intl` takes 5 µs for each language. */
const latest = { person: null as string | null, site: null as string | null, language: chooseLanguage({}) };

/** Formats a message of the catalog for its reader. Empty for an unknown message. */
export function textOf(key: string, parameters: Parameters, { person, site }: TextReader): string {
  if (person !== latest.person || site !== latest.site) {
    Object.assign(latest, { person, site, language: chooseLanguage({ person, site }) });
  }
  const values = Object.entries(parameters).map(([name, value]) => [name, value ?? ''] as const);
  return textIn(latest.language, key, Object.fromEntries(values));
}
