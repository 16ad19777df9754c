/** The members of a registration that a calendar shows. */
export interface CalendarEntry {
  readonly event_id: string;
  readonly name: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly location: string | null;
  readonly join_url: string | null;
  readonly state: string;
  /** Grows with each change of the event. */
  readonly version: number;
  readonly url: string;
}

/** Longest line in octets, without its end (RFC 5545 §3.1). */
const LINE_OCTETS = 75;

/** STATUS by the state of a registration; others are CONFIRMED (RFC 5545 §3.8.1.11). */
const STATUS: Readonly<Record<string, string>> = { canceled: 'CANCELLED', waitlisted: 'TENTATIVE' };

/** Returns the registration as an iCalendar object (RFC 5545), with UTC times, which need no time zone component. */
export function calendarOf(entry: CalendarEntry, now: Date): string {
  const { name, location, join_url, state } = entry;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lyceum//Events//EN',
    'BEGIN:VEVENT',
    // One entry for an event: a later file replaces the earlier one.
    `UID:${entry.event_id}@${new URL(entry.url).host}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(entry.starts_at)}`,
    `DTEND:${utc(entry.ends_at)}`,
    `SEQUENCE:${entry.version}`,
    `STATUS:${STATUS[state] ?? 'CONFIRMED'}`,
    `SUMMARY:${escaped(name)}`,
    ...(location === null ? [] : [`LOCATION:${escaped(location)}`]),
    ...(join_url === null ? [] : [`DESCRIPTION:${escaped(join_url)}`]),
    `URL:${entry.url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** DATE-TIME in UTC: `20270509T110000Z` (RFC 5545 §3.3.5). */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** TEXT (RFC 5545 §3.3.11). */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}

/** Splits a line between characters, never within one (RFC 5545 §3.1). */
function folded(line: string): string {
  let octets = 0;
  let folding = '';
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      folding += '\r\n ';
      octets = 1;
    }
    folding += character;
    octets += size;
  }
  return folding;
}
