import { instantOf } from './local-time.js';
import { currentExecution, makeExecution, runIn } from '../telemetry/request-context.js';
import { uuidv7 } from '../telemetry/uuid.js';

/** Returns the time zone of a site. A service that accepts dates in place of instants provides it. */
export abstract class SiteTimeZones {
  /** A name of the IANA time zone database. */
  abstract of(site_id: string): Promise<string>;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text has the form of a date. */
const isDate = (value: unknown): boolean => typeof value === 'string' && value.length === 10 && DATE.test(value);

/** Whether a date is somewhere in the input of a request. */
export function hasDate(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return isDate(input);
  return Object.values(input).some(hasDate);
}

/** Finds the time zone of the current request before its input is parsed, if the input has a date. */
export async function prepareDates(zones: SiteTimeZones | undefined, site_id: string, input: unknown): Promise<void> {
  const execution = currentExecution();
  if (zones === undefined || execution === undefined || !hasDate(input)) return;
  execution.timeZone = await zones.of(site_id);
}

/** Runs work that reads dates of a site outside of its requests, such as the dates of a file. */
export function runInTimeZone<T>(timeZone: string, work: () => T): T {
  return runIn({ ...(currentExecution() ?? makeExecution(uuidv7(), undefined)), timeZone }, work);
}

/**
 * Returns the first instant of a date in the time zone of the site of the current work, as text; in UTC outside of
 * such work. Returns any other text unchanged.
 */
export function startOfDate(text: string): string {
  if (!isDate(text)) return text;
  const local = Date.parse(`${text}T00:00:00Z`);
  // JavaScript parses February 30 as March 2.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(text)) return text;
  return new Date(instantOf(local, currentExecution()?.timeZone ?? 'UTC')).toISOString();
}
