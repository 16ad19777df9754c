import { NAMES, TIMES, uuid } from './numbers.js';
import type { Numbers } from './numbers.js';
import type { Row } from './row.js';

export interface Purchases {
  readonly digital_products: Row[];
  readonly digital_product_grants: Row[];
  readonly digital_product_downloads: Row[];
  readonly consulting_services: Row[];
  readonly consulting_purchases: Row[];
  readonly consulting_bookings: Row[];
  readonly events: Row[];
  readonly event_registrations: Row[];
}

const STATES = ['published', 'published', 'published', 'unpublished', 'archived', 'draft', 'deleted'];
const ENDS = [null, null, '2020-01-01T00:00:00Z', '2090-01-01T00:00:00.25Z'];
const HOLDINGS = 30;

/** Grants of twelve things of each kind; some belong to the other site, or to a thing without an event yet. */
export function makePurchases(
  { below, pick }: Numbers,
  sites: readonly string[],
  people: readonly string[],
): Purchases {
  const siteOf = (n: number): string => sites[n % 2] ?? '';
  const thing = (kind: number): string => (below(12) === 0 ? uuid(kind, 99) : uuid(kind, below(12)));
  const holder = () => ({
    site_id: pick(sites),
    person_id: pick([people[0], people[0], people[0], people[1], people[2], people[3]]) ?? '',
    version: 1,
  });
  const twelve = <T extends Row>(make: (n: number) => T): T[] => Array.from({ length: 12 }, (_, n) => make(n));
  const holdings = <T extends Row>(make: (n: number) => T): T[] => Array.from({ length: HOLDINGS }, (_, n) => make(n));

  const digital_product = twelve((n) => ({
    digital_product_id: uuid(7, n),
    site_id: siteOf(n),
    version: 1,
    slug: `product-${n}`,
    name: pick(NAMES),
    description: pick([null, ...NAMES]),
    image_url: pick([null, `https://img.example/${n}.png`]),
    state: pick(STATES),
    download_limit: pick([null, 1, 3]),
    files: JSON.stringify(
      Array.from({ length: below(4) }, (_, at) => ({
        file_id: uuid(8, n * 10 + at),
        name: pick(NAMES),
        content_type: 'application/pdf',
        size_bytes: pick([0, 12_345, 5_000_000_000]),
      })),
    ),
  }));
  const digital_product_grant = holdings((n) => ({
    grant_id: uuid(9, (n * 37) % 101),
    ...holder(),
    digital_product_id: thing(7),
    state: pick(['active', 'active', 'active', 'expired', 'revoked']),
    granted_at: pick(TIMES),
    expires_at: pick(ENDS),
  }));
  const digital_product_download = digital_product_grant
    .filter((_, n) => n % 2 === 0)
    .map(({ grant_id, site_id }) => ({ grant_id, site_id, count: 1 + below(3), last_at: pick(TIMES) }));

  const consulting_service = twelve((n) => {
    const lecturer = below(3) > 0;
    return {
      consulting_service_id: uuid(10, n),
      site_id: siteOf(n),
      version: 1,
      slug: `service-${n}`,
      name: pick(NAMES),
      state: pick(STATES),
      lecturer_id: lecturer ? uuid(11, n) : null,
      lecturer_name: lecturer ? pick(NAMES) : null,
      timezone: 'Europe/Lisbon',
    };
  });
  const consulting_purchase = holdings((n) => ({
    purchase_id: uuid(12, (n * 29) % 97),
    ...holder(),
    consulting_service_id: thing(10),
    state: pick(['active', 'active', 'active', 'expired', 'revoked']),
    purchased_at: pick(TIMES),
    expires_at: pick(ENDS),
    sessions_total: below(6),
    sessions_used: below(6),
  }));
  // Most refer to purchases of the first person; some to a purchase of another person.
  const consulting_booking = Array.from({ length: 90 }, (_, n) => {
    const purchase = pick(consulting_purchase.filter(({ person_id }) => below(9) === 0 || person_id === people[0]));
    return {
      booking_id: uuid(13, (n * 31) % 103),
      site_id: below(12) === 0 ? pick(sites) : purchase.site_id,
      person_id: below(12) === 0 ? pick(people) : purchase.person_id,
      purchase_id: purchase.purchase_id,
      version: 1,
      starts_at: pick(TIMES),
      ends_at: pick([...TIMES, '2090-01-01T00:00:00.25Z']),
      state: pick(['scheduled', 'completed', 'no_show', 'canceled']),
      join_url: pick([null, 'https://meet.example/"?']),
    };
  });

  const event = twelve((n) => ({
    event_id: uuid(14, n),
    site_id: siteOf(n),
    version: 1,
    slug: `event-${n}`,
    name: pick(NAMES),
    image_url: pick([null, `https://img.example/${n}.png`]),
    hosting_type: pick(['zoom', 'live_session', 'custom', 'in_person']),
    join_url: pick([null, 'https://meet.example/']),
    location: pick([null, ...NAMES]),
    starts_at: pick(TIMES),
    ends_at: pick(TIMES),
    timezone: 'Asia/Tokyo',
    tickets: JSON.stringify([0, 1, 2].map((at) => ({ ticket_id: uuid(30, at), name: pick(NAMES) }))),
    state: pick(['published', 'published', 'live', 'ended', 'canceled', 'draft', 'deleted']),
  }));
  const event_registration = holdings((n) => ({
    registration_id: uuid(15, (n * 41) % 107),
    ...holder(),
    event_id: thing(14),
    ticket_id: pick([null, uuid(30, 0), uuid(30, 1), uuid(30, 99)]),
    state: pick(['registered', 'registered', 'waitlisted', 'checked_in', 'no_show', 'canceled']),
    registered_at: pick(TIMES),
    checked_in_at: pick([null, ...TIMES]),
    canceled_at: pick([null, ...TIMES]),
  }));
  return {
    digital_products: digital_product,
    digital_product_grants: digital_product_grant,
    digital_product_downloads: digital_product_download,
    consulting_services: consulting_service,
    consulting_purchases: consulting_purchase,
    consulting_bookings: consulting_booking,
    events: event,
    event_registrations: event_registration,
  };
}
