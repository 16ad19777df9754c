import { IntlMessageFormat } from 'intl-messageformat';
import { en } from './en.js';

export type Parameters = Readonly<Record<string, string | number | null>>;

/** By BCP 47 tag. */
const CATALOGS: Readonly<Record<string, Readonly<Record<string, string>>>> = { en };

const formats = new Map<string, IntlMessageFormat>();

/** Formats a message for a locale. Empty for a message that is missing from the catalog. */
export function textOf(key: string, parameters: Parameters, locale: string | null): string {
  const format = formatOf(key, catalogFor(locale));
  const values = Object.entries(parameters).map(([name, value]) => [name, value ?? ''] as const);
  try {
    return String(format.format(Object.fromEntries(values)));
  } catch {
    // A row lacks a parameter. One bad message must not fail the whole list.
    return '';
  }
}

/** Lookup of RFC 4647 §3.4: the tag, then without its last subtags, then English. */
function catalogFor(locale: string | null): string {
  for (let tag = locale ?? ''; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    if (Object.hasOwn(CATALOGS, tag)) return tag;
  }
  return 'en';
}

function formatOf(key: string, catalog: string): IntlMessageFormat {
  const name = `${catalog} ${key}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const text = CATALOGS[catalog]?.[key] ?? '';
  // Parameters are user input: a "<" is no tag.
  const made = new IntlMessageFormat(text, catalog, undefined, { ignoreTag: true });
  formats.set(name, made);
  return made;
}
