import type { Learners } from './learners.js';
import type { Row } from './row.js';
import { instant } from './naive-instants.js';
import { naiveToken } from './naive-downloads.js';
import type { Downloads } from './naive-downloads.js';
import { NaivePages, isOver, newestFirst } from './naive-page.js';
import type { PageArguments, Resolvable } from './naive-page.js';

interface Slug {
  readonly slug: string;
}

interface Caller {
  readonly site: string;
  readonly person: string;
  readonly baseUrl: string;
}

const PURCHASED = ['purchased_at', 'purchase_id'] as const;
const GRANTED = ['granted_at', 'grant_id'] as const;
const REGISTERED = ['registered_at', 'registration_id'] as const;
const STARTS = ['starts_at', 'booking_id'] as const;

/** The purchases and registrations of a member, in plain JavaScript over all rows. */
export class NaivePurchases {
  constructor(
    private readonly learners: Learners,
    private readonly caller: Caller,
    private readonly pages: NaivePages,
    private readonly downloads: Downloads,
  ) {}

  fields(): Resolvable {
    const { pages } = this;
    return {
      digitalProduct: (given: Slug) =>
        bySlug(
          this.#grants().map((row) => this.#product(row)),
          given,
        ),
      consultingService: (given: Slug) =>
        bySlug(
          this.#purchases().map((row) => this.#service(row)),
          given,
        ),
      eventRegistration: (given: Slug) =>
        bySlug(
          this.#registrations().map((row) => this.#registration(row)),
          given,
        ),
      digitalProducts: (page: PageArguments) =>
        pages.page('digitalProducts', this.#grants(), GRANTED, page, (row) => this.#product(row)),
      consultingServices: (page: PageArguments) =>
        pages.page('consultingServices', this.#purchases(), PURCHASED, page, (row) => this.#service(row)),
      eventRegistrations: (page: PageArguments) =>
        pages.page('eventRegistrations', this.#registrations(), REGISTERED, page, (row) => this.#registration(row)),
    };
  }

  /** The object of the member with an id. */
  subject(id: unknown): Resolvable | undefined {
    const named = (rows: Row[], key: string): Row | undefined => rows.find((row) => row[key] === id);
    const grant = named(this.#grants(), 'grant_id');
    if (grant !== undefined) return this.#product(grant);
    const purchase = named(this.#purchases(), 'purchase_id');
    if (purchase !== undefined) return this.#service(purchase);
    const registration = named(this.#registrations(), 'registration_id');
    return registration && this.#registration(registration);
  }

  nodes(): Resolvable[] {
    const purchases = this.#purchases();
    const bookings = this.#mine(this.learners.consulting_bookings).filter(({ purchase_id }) =>
      purchases.some((purchase) => purchase['purchase_id'] === purchase_id),
    );
    return [
      ...this.#grants().map((row) => this.#product(row)),
      ...purchases.map((row) => this.#service(row)),
      ...this.#registrations().map((row) => this.#registration(row)),
      ...bookings.map(booking),
    ];
  }

  /** Valid cursors of every list; those of bookings cover all purchases. */
  cursors(): Record<string, string[]> {
    const of = (list: string, rows: Row[], keys: readonly [string, string]): string[] =>
      rows.map((row) => this.pages.cursorOf(list, row, keys));
    return {
      digitalProducts: of('digitalProducts', this.#grants(), GRANTED),
      consultingServices: of('consultingServices', this.#purchases(), PURCHASED),
      eventRegistrations: of('eventRegistrations', this.#registrations(), REGISTERED),
      bookings: of('bookings', this.#mine(this.learners.consulting_bookings), STARTS),
    };
  }

  #grants(): Row[] {
    const { digital_product_grants: grants, digital_products: products } = this.learners;
    return newestFirst(
      this.#mine(grants).filter((one) => holds(one) && this.#isOut(products, 'digital_product_id', one)),
      GRANTED,
    );
  }

  #purchases(): Row[] {
    const { consulting_purchases: purchases, consulting_services: services } = this.learners;
    return newestFirst(
      this.#mine(purchases).filter((one) => holds(one) && this.#isOut(services, 'consulting_service_id', one)),
      PURCHASED,
    );
  }

  #registrations(): Row[] {
    const { event_registrations: registrations, events } = this.learners;
    return newestFirst(
      this.#mine(registrations).filter((one) => this.#isOut(events, 'event_id', one)),
      REGISTERED,
    );
  }

  #product(grant: Row): Resolvable {
    const product = this.#of(this.learners.digital_products, 'digital_product_id', grant);
    const expired = grant['state'] === 'expired' || isOver(grant['expires_at']);
    const counted = this.learners.digital_product_downloads.find((one) => one['grant_id'] === grant['grant_id']);
    const count = Number(counted?.['count'] ?? 0);
    const limit = product['download_limit'];
    const open = !expired && (limit === null || count < Number(limit));
    return {
      __typename: 'PurchasedDigitalProduct',
      id: `dig_${String(grant['grant_id'])}`,
      productId: grant['digital_product_id'],
      slug: product['slug'],
      name: product['name'],
      descriptionHtml: product['description'],
      imageUrl: product['image_url'],
      purchasedAt: instant(grant['granted_at']),
      expireDate: instant(grant['expires_at']),
      hasLifetimeAccess: grant['expires_at'] === null,
      state: expired ? 'EXPIRED' : 'ACTIVE',
      downloadCount: count,
      downloadLimit: limit,
      files: (JSON.parse(String(product['files'])) as Row[]).map((file) => ({
        id: file['file_id'],
        name: file['name'],
        contentType: file['content_type'],
        sizeBytes: file['size_bytes'],
        downloadUrl: open
          ? this.#link('downloads', [grant['grant_id'], grant['digital_product_id'], file['file_id']])
          : null,
      })),
    };
  }

  #link(kind: 'calendars' | 'downloads', ids: Parameters<typeof naiveToken>[2]): string {
    const token = naiveToken(this.caller.site, this.downloads, ids);
    return `${this.caller.baseUrl}/member/${kind}?token=${token}`;
  }

  #service(purchase: Row): Resolvable {
    const service = this.#of(this.learners.consulting_services, 'consulting_service_id', purchase);
    const [total, used] = [Number(purchase['sessions_total']), Number(purchase['sessions_used'])];
    const bookings = newestFirst(
      this.#mine(this.learners.consulting_bookings).filter((one) => one['purchase_id'] === purchase['purchase_id']),
      STARTS,
    );
    return {
      __typename: 'PurchasedConsultingService',
      id: `con_${String(purchase['purchase_id'])}`,
      serviceId: purchase['consulting_service_id'],
      slug: service['slug'],
      name: service['name'],
      lecturer: service['lecturer_id'] === null ? null : { id: service['lecturer_id'], name: service['lecturer_name'] },
      timezone: service['timezone'],
      purchasedAt: instant(purchase['purchased_at']),
      expireDate: instant(purchase['expires_at']),
      sessionsTotal: total,
      sessionsUsed: used,
      sessionsRemaining: Math.max(0, total - used),
      bookings: (page: PageArguments) => this.pages.page('bookings', bookings, STARTS, page, booking),
    };
  }

  #registration(one: Row): Resolvable {
    const event = this.#of(this.learners.events, 'event_id', one);
    const tickets = JSON.parse(String(event['tickets'])) as { readonly ticket_id: string; readonly name: string }[];
    const state = event['state'] === 'canceled' ? 'canceled' : one['state'];
    return {
      __typename: 'EventRegistration',
      id: `reg_${String(one['registration_id'])}`,
      eventId: one['event_id'],
      slug: event['slug'],
      name: event['name'],
      imageUrl: event['image_url'],
      url: `${this.caller.baseUrl}/events/${String(event['slug'])}`,
      startsAt: instant(event['starts_at']),
      endsAt: instant(event['ends_at']),
      timezone: event['timezone'],
      hostingType: String(event['hosting_type']).toUpperCase(),
      location: event['location'],
      joinUrl: state === 'registered' ? event['join_url'] : null,
      calendarUrl: this.#link('calendars', [one['registration_id'], one['event_id'], one['event_id']]),
      ticketId: one['ticket_id'],
      ticketName: tickets.find(({ ticket_id }) => ticket_id === one['ticket_id'])?.name ?? null,
      state: String(state).toUpperCase(),
      registeredAt: instant(one['registered_at']),
      checkedInAt: instant(one['checked_in_at']),
      canceledAt: instant(one['canceled_at']),
    };
  }

  #mine(rows: readonly Row[]): Row[] {
    const { site, person } = this.caller;
    return rows.filter((row) => row['site_id'] === site && row['person_id'] === person);
  }

  /** True when the thing of a holding exists at the same site and is neither a draft nor deleted. */
  #isOut(things: readonly Row[], key: string, holding: Row): boolean {
    const thing = things.find((one) => one[key] === holding[key] && one['site_id'] === holding['site_id']);
    return thing !== undefined && thing['state'] !== 'draft' && thing['state'] !== 'deleted';
  }

  #of(things: readonly Row[], key: string, holding: Row): Row {
    const thing = things.find((one) => one[key] === holding[key]);
    if (thing === undefined) throw new Error(`There is no ${key} of that id`);
    return thing;
  }
}

/** The newest one with a slug; lists are newest first. */
export function bySlug(nodes: readonly Resolvable[], { slug }: Slug): Resolvable | null {
  return nodes.find((node) => node['slug'] === slug) ?? null;
}

function holds({ state }: Row): boolean {
  return state === 'active' || state === 'expired';
}

function booking(row: Row): Resolvable {
  return {
    __typename: 'ConsultingBooking',
    id: `bkg_${String(row['booking_id'])}`,
    startsAt: instant(row['starts_at']),
    endsAt: instant(row['ends_at']),
    state: String(row['state']).toUpperCase(),
    joinUrl: row['state'] === 'scheduled' ? row['join_url'] : null,
  };
}
