import { BoundedCache, currentReader } from '@lyceum/platform';
import type { Language } from './languages.policy.js';
import { readerLanguage } from './messages.js';

const lists: Readonly<Record<Language, Intl.ListFormat>> = {
  en: new Intl.ListFormat('en'),
  'zh-TW': new Intl.ListFormat('zh-TW'),
};
const distances: Readonly<Record<Language, Intl.RelativeTimeFormat>> = {
  en: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
  'zh-TW': new Intl.RelativeTimeFormat('zh-TW', { numeric: 'always' }),
};

/** Words as one phrase, such as "a, b, and c". */
export const listOf = (words: readonly string[]): string => lists[readerLanguage()].format(words);

/** A distance in time, such as "2 hours ago" for -2. */
export const distance = (count: number, unit: Intl.RelativeTimeFormatUnit): string =>
  distances[readerLanguage()].format(count, unit);

const UTC = 'UTC';
/** Clocks that are kept, with 35 KB each. Readers choose the zones. */
const MAX_CLOCKS = 100;
const clocks = new BoundedCache<Intl.DateTimeFormat>(MAX_CLOCKS);

/** The format of digits. Unknown zones are UTC. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  return clocks.get(timezone.toLowerCase(), () => clockIn(timezone) ?? clockOf(UTC));
}

function clockIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  } catch {
    return undefined;
  }
}

const zone = (): string => currentReader()?.timezone ?? UTC;

/** The zone of the times that the reader sees. */
export const readerTimeZone = (): string => clockOf(zone()).resolvedOptions().timeZone;

/** An instant to the second, in the zone of the reader, with the name of the zone: in digits of every language. */
export function instant(at: Date): string {
  const clock = clockOf(zone());
  const { timeZone } = clock.resolvedOptions();
  return `${clock.format(at)} ${timeZone === UTC ? UTC : `(${timeZone})`}`;
}

/** The day of an instant, in the zone of the reader. */
export const dayOf = (at: Date): string => clockOf(zone()).format(at).slice(0, 10);
