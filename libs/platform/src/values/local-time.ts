import { BoundedCache } from './bounded-cache.js';

export const DAY_MS = 86_400_000;

/** Names of the IANA time zone database. `Intl` lists each zone by one name only, such as Asia/Calcutta. */
export const TIME_ZONES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
const NAMES: ReadonlyMap<string, string> = new Map([...TIME_ZONES].map((name) => [name.toLowerCase(), name]));

/** Names of three letters with one meaning. PostgreSQL has another one for BST, IST and CET, and none for AET. */
export const SHORT_TIME_ZONES: readonly string[] = ['UTC', 'GMT', 'UCT', 'EST', 'MST', 'HST', 'PRC', 'ROC', 'ROK'];

/** Names that `Intl` has kept, and that the database of time zones has dropped. */
const DROPPED: readonly string[] = ['US/PACIFIC-NEW', 'CANADA/EAST-SASKATCHEWAN'];

/** `Intl` also accepts other names of a zone, offsets, and names that PostgreSQL does not know. */
export function isTimeZone(value: string): boolean {
  if (NAMES.has(value.toLowerCase())) return true;
  if (value.length > 64 || !/^[A-Za-z]/.test(value)) return false;
  const name = value.toUpperCase();
  if (DROPPED.includes(name) || (name.length === 3 && !SHORT_TIME_ZONES.includes(name))) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the spelling of `Intl` for a time zone that it lists: Asia/Taipei for asia/taipei. Other names stay. */
export function timeZoneName(value: string): string {
  return NAMES.get(value.toLowerCase()) ?? value;
}

/** Returns the instant of a local time: the first one of a repeated hour, and an hour later for one that is skipped. */
export function instantOf(local: number, timeZone: string): number {
  const [before, after] = [offsetOf(local - DAY_MS, timeZone), offsetOf(local + DAY_MS, timeZone)];
  if (before === after) return local - before;
  const exact = [local - before, local - after].filter((instant) => localTime(instant, timeZone) === local);
  // By the offset before the change, a skipped time is that much later.
  return exact.length === 0 ? local - before : Math.min(...exact);
}

/** Returns by how many milliseconds the clocks of a time zone are ahead of UTC at an instant. */
export function offsetOf(instant: number, timeZone: string): number {
  return localTime(instant, timeZone) - instant;
}

/** Formats that are kept, with 35 KB each. Callers choose the zones. */
const MAX_FORMATS = 100;
const formats = new BoundedCache<Intl.DateTimeFormat>(MAX_FORMATS);

/** Returns the date and time of an instant in a time zone, as the milliseconds that UTC has for them. */
export function localTime(instant: number, timeZone: string): number {
  const format = formats.get(timeZone.toLowerCase(), () => newFormat(timeZone));
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  const milliseconds = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
