import ical, { ICalEventStatus } from 'ical-generator';

/** The members of a registration that a calendar shows. */
export interface CalendarEntry {
  readonly event_id: string;
  readonly name: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly location: string | null;
  readonly join_url: string | null;
  readonly state: string;
  /** Grows with each change of the event, of the registration, and with another registration of the member. */
  readonly sequence: number;
  /** Host of the site. */
  readonly host: string;
}

/** STATUS by the state of a registration; others are CONFIRMED (RFC 5545 §3.8.1.11). */
const STATUS: Readonly<Record<string, ICalEventStatus>> = {
  canceled: ICalEventStatus.CANCELLED,
  waitlisted: ICalEventStatus.TENTATIVE,
};

/** Returns the registration as an iCalendar object (RFC 5545), with UTC times, which need no time zone component. */
export function calendarOf(entry: CalendarEntry, now: Date): string {
  const calendar = ical({ prodId: { company: 'Lyceum', product: 'Events' } });
  calendar.createEvent({
    // One entry for an event: a later file replaces the earlier one.
    id: `${entry.event_id}@${entry.host}`,
    sequence: entry.sequence,
    stamp: now,
    start: entry.starts_at,
    end: entry.ends_at,
    status: STATUS[entry.state] ?? ICalEventStatus.CONFIRMED,
    summary: entry.name,
    location: entry.location,
    description: entry.join_url,
  });
  return `${calendar.toString()}\r\n`;
}
