import {
  consultingBookingEvents,
  consultingPurchaseEvents,
  consultingServiceEvents,
  digitalProductEvents,
  digitalProductGrantEvents,
  eventRegistrationEvents,
  eventEvents,
  subscriptionEvents,
} from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import type { DataOf, Sent, World } from './world.js';

type Product = DataOf<typeof digitalProductEvents>;
type Grant = DataOf<typeof digitalProductGrantEvents>;
type Service = DataOf<typeof consultingServiceEvents>;
type Purchase = DataOf<typeof consultingPurchaseEvents>;
type Booking = DataOf<typeof consultingBookingEvents>;
type LearningEvent = DataOf<typeof eventEvents>;
type Registration = DataOf<typeof eventRegistrationEvents>;
type Subscription = DataOf<typeof subscriptionEvents>;

/** The ticket of each event. */
const TICKET = { ticket_id: uuidv7(), name: 'Standard' };

interface Holder {
  readonly site_id: string;
  readonly person_id: string | null;
}

/** Publishes the events of the school about products, consulting and events. */
export class PurchaseWorld {
  constructor(private readonly world: World) {}

  async product(given: Partial<Product> & { site_id: string }, sent?: Sent): Promise<Product> {
    const data: Product = {
      digital_product_id: uuidv7(),
      slug: 'chart-pack',
      name: 'Chart Pack',
      description: 'Ten charts',
      image_url: null,
      state: 'published',
      download_limit: null,
      files: [file('north.pdf')],
      ...given,
    };
    await this.world.send(digitalProductEvents, data.digital_product_id, data.site_id, data, sent);
    return data;
  }

  async grant(given: Partial<Grant> & Holder & { digital_product_id: string }, sent?: Sent): Promise<Grant> {
    const data: Grant = {
      grant_id: uuidv7(),
      state: 'active',
      granted_at: '2026-03-04T05:06:07.000Z',
      expires_at: null,
      ...given,
    };
    await this.world.send(digitalProductGrantEvents, data.grant_id, data.site_id, data, sent);
    return data;
  }

  async subscription(given: Partial<Subscription> & Holder, sent?: Sent): Promise<Subscription> {
    const data: Subscription = {
      subscription_id: uuidv7(),
      external_id: null,
      student_id: uuidv7(),
      plan_id: uuidv7(),
      price_id: uuidv7(),
      plan_name: 'Harbor',
      state: 'active',
      state_since: '2026-01-01T00:00:00.000Z',
      trial_ends_at: null,
      current_period_end: null,
      cancel_at_period_end: false,
      ended_at: null,
      ...given,
    };
    await this.world.send(subscriptionEvents, data.subscription_id, data.site_id, data, sent);
    return data;
  }

  async service(given: Partial<Service> & { site_id: string }, sent?: Sent): Promise<Service> {
    const data: Service = {
      consulting_service_id: uuidv7(),
      slug: 'passage-planning',
      name: 'Passage Planning',
      state: 'published',
      image_url: null,
      lecturer: { lecturer_id: uuidv7(), name: 'The Pilot' },
      lecturer_ids: [],
      timezone: 'Europe/Lisbon',
      duration_minutes: 60,
      sessions_included: 5,
      hosting_type: 'live_session',
      location: null,
      ...given,
    };
    await this.world.send(consultingServiceEvents, data.consulting_service_id, data.site_id, data, sent);
    return data;
  }

  async purchase(
    given: Partial<Purchase> & Holder & { consulting_service_id: string },
    sent?: Sent,
  ): Promise<Purchase> {
    const data: Purchase = {
      purchase_id: uuidv7(),
      state: 'active',
      purchased_at: '2026-03-04T05:06:07.000Z',
      expires_at: null,
      sessions_total: 5,
      sessions_used: 1,
      ...given,
    };
    await this.world.send(consultingPurchaseEvents, data.purchase_id, data.site_id, data, sent);
    return data;
  }

  /** A session of the past, without a notification. */
  async booking(
    given: Partial<Booking> & Holder & Pick<Booking, 'purchase_id' | 'consulting_service_id'>,
    sent?: Sent,
  ): Promise<Booking> {
    const data: Booking = {
      booking_id: uuidv7(),
      slot_id: uuidv7(),
      starts_at: '2026-01-02T10:00:00.000Z',
      ends_at: '2026-01-02T11:00:00.000Z',
      state: 'scheduled',
      join_url: 'https://meet.example/pilot',
      ...given,
    };
    await this.world.send(consultingBookingEvents, data.booking_id, data.site_id, data, sent);
    return data;
  }

  async event(given: Partial<LearningEvent> & { site_id: string }, sent?: Sent): Promise<LearningEvent> {
    const data: LearningEvent = {
      event_id: uuidv7(),
      slug: 'harbour-day',
      name: 'Harbour Day',
      image_url: null,
      hosting_type: 'live_session',
      join_url: 'https://meet.example/harbour',
      location: null,
      starts_at: '2027-02-03T10:00:00.000Z',
      ends_at: '2027-02-03T12:00:00.000Z',
      timezone: 'Europe/Lisbon',
      tickets: [TICKET],
      state: 'published',
      canceled_at: null,
      ...given,
    };
    await this.world.send(eventEvents, data.event_id, data.site_id, data, sent);
    return data;
  }

  async registration(given: Partial<Registration> & Holder & { event_id: string }, sent?: Sent): Promise<Registration> {
    const data: Registration = {
      registration_id: uuidv7(),
      ticket_id: TICKET.ticket_id,
      state: 'registered',
      registered_at: '2026-03-04T05:06:07.000Z',
      checked_in_at: null,
      canceled_at: null,
      ...given,
    };
    await this.world.send(eventRegistrationEvents, data.registration_id, data.site_id, data, sent);
    return data;
  }
}

export function file(name: string): Product['files'][number] {
  return { file_id: uuidv7(), name, content_type: 'application/pdf', size_bytes: 5_000_000_000 };
}
