/** Purchases and registrations of demo members: `holdings` of `admin-api apply`. */
export interface DemoPurchases {
  readonly consulting_services: readonly object[];
  readonly members: readonly ({ readonly email: string } & object)[];
}

/** Far in the future, so that demo events stay upcoming. */
const START = { starts_at: '2035-06-01T09:00:00Z', ends_at: '2035-06-01T10:00:00Z' };

/** One of each for the student of the site. The product and the event are offers of the school. */
export function demoPurchases(base_url: string, school: string, email: string): DemoPurchases {
  const consulting_services = [
    { slug: 'one-to-one', name: 'One to One', lecturer_name: `${school} Lecturer`, timezone: 'Europe/London' },
  ];
  const member = {
    email,
    since: '2026-10-01T08:00:00Z',
    digital_products: ['workbook'],
    consulting_services: [
      {
        slug: 'one-to-one',
        sessions_total: 3,
        bookings: [{ ...START, join_url: `${base_url}/consulting/one-to-one/room` }],
      },
    ],
    events: ['open-evening'],
  };
  return { consulting_services, members: [member] };
}
