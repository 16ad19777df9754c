/** What members of the demo have bought, registered for and watched; see `holdings` of `admin-api apply`. */
export interface DemoHoldings {
  readonly digital_products: readonly object[];
  readonly consulting_services: readonly object[];
  readonly events: readonly object[];
  readonly members: readonly ({ readonly email: string } & object)[];
}

/** Far in the future, so that what is to come in the demo is always to come. */
const START = { starts_at: '2035-06-01T09:00:00Z', ends_at: '2035-06-01T10:00:00Z' };

/** One of each for the site's own student. A demo has no storage of files: its file is a document of the site itself. */
export function demoHoldings(base_url: string, school: string, email: string, course: string): DemoHoldings {
  const guide = {
    name: 'guide.md',
    content_type: 'text/markdown',
    size_bytes: 8_192,
    storage_url: `${base_url}/auth.md`,
  };
  const digital_products = [
    {
      slug: 'pocket-guide',
      name: `The Pocket Guide of ${school}`,
      description: 'All that fits into a pocket.',
      download_limit: 1_000,
      files: [guide],
    },
  ];
  const consulting_services = [
    { slug: 'one-to-one', name: 'One to One', lecturer_name: `${school} Lecturer`, timezone: 'Europe/London' },
  ];
  const events = [
    {
      slug: 'open-day',
      name: `Open Day of ${school}`,
      hosting_type: 'live_session',
      join_url: `${base_url}/events/open-day/live`,
      ...START,
      timezone: 'Europe/London',
    },
  ];
  const member = {
    email,
    since: '2026-10-01T08:00:00Z',
    digital_products: ['pocket-guide'],
    consulting_services: [
      {
        slug: 'one-to-one',
        sessions_total: 3,
        bookings: [{ ...START, join_url: `${base_url}/consulting/one-to-one/room` }],
      },
    ],
    events: ['open-day'],
    progress: [
      { course, lecture_title: 'The first lecture', position_seconds: 754, watched_at: '2026-10-02T19:30:00Z' },
    ],
  };
  return { digital_products, consulting_services, events, members: [member] };
}
