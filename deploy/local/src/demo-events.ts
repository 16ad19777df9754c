import type { DemoDay } from './demo-day.js';

/** An event of a demo school, for which the storefront registers students. */
export interface DemoEvent {
  readonly external_id: string;
  /** The body that creates it. */
  readonly event: object;
  /** The storefront registers for the first one, which is free. Orders buy the others. */
  readonly tickets: readonly { readonly external_id: string; readonly name: string; readonly price: object }[];
  /** `external_id` of the students who take part. */
  readonly students: readonly string[];
  /** `external_id` of the students whom the school has checked in. They need no ticket. */
  readonly attended?: readonly string[];
}

const TIMEZONE = 'Asia/Taipei';

/** One event is in three weeks. Two series began in this month and in the one before, and go on. */
export function demoEvents([first, second]: readonly [string, string], day: DemoDay): readonly DemoEvent[] {
  const series = { hosting_type: 'in_person', location: 'Taipei', timezone: TIMEZONE };
  return [
    {
      external_id: 'open-evening',
      event: {
        slug: 'open-evening',
        name: 'Open evening',
        description_html: '<p>Meet the lecturers and ask everything.</p>',
        hosting_type: 'in_person',
        location: 'Taipei',
        starts_at: day.ahead(21, '11:00'),
        ends_at: day.ahead(21, '13:00'),
        timezone: TIMEZONE,
        capacity: 40,
        waitlist: true,
      },
      tickets: [
        { external_id: 'open-evening-seat', name: 'Seat', price: { amount_minor: 0, currency: 'TWD' } },
        {
          external_id: 'open-evening-dinner',
          name: 'Seat with dinner',
          price: { amount_minor: 80_000, currency: 'TWD' },
        },
      ],
      students: [first],
    },
    {
      external_id: 'practice-evenings',
      event: {
        ...series,
        slug: 'practice-evenings',
        name: 'Practice evenings',
        description_html: '<p>Two hours of practice, each week.</p>',
        starts_at: day.ago(40, '11:00'),
        ends_at: day.ahead(30, '13:00'),
      },
      tickets: [],
      students: [],
      attended: [first, second],
    },
    {
      external_id: 'study-group',
      event: {
        ...series,
        slug: 'study-group',
        name: 'Study group',
        description_html: '<p>Read and discuss a chapter each week.</p>',
        starts_at: day.ago(10, '11:00'),
        ends_at: day.ahead(45, '13:00'),
      },
      tickets: [],
      students: [],
      attended: [second],
    },
  ];
}
