/** An event of a demo school, for which the storefront registers students. */
export interface DemoEvent {
  readonly external_id: string;
  /** The body that creates it. */
  readonly event: object;
  /** The storefront registers for the first one, which is free. Orders buy the others. */
  readonly tickets: readonly { readonly external_id: string; readonly name: string; readonly price: object }[];
  /** `external_id` of the students who take part. */
  readonly students: readonly string[];
}

/** The event is far in the future, so that it stays upcoming. */
export function demoEvents(students: readonly string[]): readonly DemoEvent[] {
  return [
    {
      external_id: 'open-evening',
      event: {
        slug: 'open-evening',
        name: 'Open evening',
        description_html: '<p>Meet the lecturers and ask everything.</p>',
        hosting_type: 'in_person',
        location: 'Taipei',
        starts_at: '2031-05-09T11:00:00Z',
        ends_at: '2031-05-09T13:00:00Z',
        timezone: 'Asia/Taipei',
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
      students,
    },
  ];
}
