import type { consultingBookingEvents, eventEvents } from '@lyceum/contracts';
import type { z } from 'zod';

type LearningEvent = z.output<(typeof eventEvents)['data']>;
type Booking = z.output<(typeof consultingBookingEvents)['data']>;

export type ReminderKind = 'event_starting' | 'consulting_starting';

/** An event or session with a start, and the recipients of its reminders. */
export interface Appointment {
  readonly subject_id: string;
  readonly site_id: string;
  readonly kind: ReminderKind;
  readonly starts_at: string;
  /** Name of the event or session; null when it needs no reminder. */
  readonly title: string | null;
  readonly path: string | null;
  /** Null for all registered members. */
  readonly person_id: string | null;
  /** The subject of that person's reminder. */
  readonly person_subject_id: string | null;
}

/** A day and an hour before. */
export const MINUTES_BEFORE = [24 * 60, 60] as const;

/** Returns the message and the audience of a reminder `minutes` before the start. */
export function reminderOf(
  { subject_id, title, person_id }: Pick<Appointment, 'subject_id' | 'person_id'> & { readonly title: string },
  minutes: number,
) {
  const audience_id = subject_id;
  return person_id === null
    ? ({ audience: 'event', audience_id, kind: 'event_starting', parameters: { event: title, minutes } } as const)
    : ({ audience: 'booking', audience_id, kind: 'consulting_starting', parameters: { minutes } } as const);
}

export function eventAppointment({ event_id, site_id, name, slug, starts_at, state }: LearningEvent): Appointment {
  return {
    subject_id: event_id,
    site_id,
    kind: 'event_starting',
    starts_at,
    title: state === 'published' ? name : null,
    path: `/events/${slug}`,
    person_id: null,
    person_subject_id: null,
  };
}

/** Null before the member of the session is linked; the `linked` event repeats the session. */
export function bookingAppointment(booking: Booking): Appointment | null {
  const { booking_id, site_id, person_id, purchase_id, starts_at, state } = booking;
  if (person_id === null) return null;
  return {
    subject_id: booking_id,
    site_id,
    kind: 'consulting_starting',
    starts_at,
    title: state === 'scheduled' ? 'session' : null,
    path: null,
    person_id,
    person_subject_id: purchase_id,
  };
}
