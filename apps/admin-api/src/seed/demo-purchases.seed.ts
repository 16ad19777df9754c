import { createHash } from 'node:crypto';
import {
  consultingMeetingEvents,
  consultingPurchaseEvents,
  consultingServiceEvents,
  digitalProductGrantEvents,
  eventRegistrationEvents,
} from '@lyceum/contracts';
import type { EntityEvents, Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { DigitalProductService } from '#src/digital-products/digital-product.service.js';
import { EventService } from '#src/events/event.service.js';
import type { Purchases, MemberPurchases } from './demo-purchases.schema.js';
import type { SiteSeed } from './seed.schema.js';

interface Publication {
  readonly principal: Principal;
  readonly site_id: string;
  readonly tx: EntityManager;
}

/**
 * Publishes purchases of members, and consulting, which have no rows in this service. Ids follow from the declaration
 * and the version is always 1, so publishing them again changes nothing for consumers.
 */
@Injectable()
export class DemoPurchases {
  constructor(
    private readonly products: DigitalProductService,
    private readonly events: EventService,
    private readonly outbox: Outbox,
  ) {}

  async apply(principal: Principal, { holdings }: Pick<SiteSeed, 'holdings'>): Promise<void> {
    if (holdings === undefined) return;
    await this.outbox.transaction(async (tx) => {
      const publication = { principal, site_id: principal.site_id, tx };
      await this.#services(publication, holdings);
      for (const member of holdings.members) {
        await this.#purchases(publication, member);
        await this.#consulting(publication, member);
        await this.#registrations(publication, member);
      }
    });
  }

  async #services(publication: Publication, { consulting_services: services }: Purchases): Promise<void> {
    const { site_id } = publication;
    for (const { lecturer_name: name, ...service } of services) {
      const consulting_service_id = idOf(site_id, 'consulting_service', service.slug);
      await this.#publish(publication, consultingServiceEvents, 'published', consulting_service_id, {
        ...service,
        consulting_service_id,
        site_id,
        state: 'published',
        lecturer: name === undefined ? null : { lecturer_id: idOf(site_id, 'lecturer', name), name },
      });
    }
  }

  async #purchases(
    publication: Publication,
    { person_id, since, digital_products: slugs }: MemberPurchases,
  ): Promise<void> {
    const { site_id } = publication;
    for (const slug of slugs) {
      const product = await this.products.findBySlug(publication.principal, slug);
      const digital_product_id = present(product, `digital product "${slug}"`, site_id);
      const grant_id = idOf(digital_product_id, person_id);
      await this.#publish(publication, digitalProductGrantEvents, 'granted', grant_id, {
        grant_id,
        site_id,
        person_id,
        digital_product_id,
        state: 'active',
        granted_at: since,
        expires_at: null,
      });
    }
  }

  async #consulting(
    publication: Publication,
    { person_id, since, consulting_services: services }: MemberPurchases,
  ): Promise<void> {
    const { site_id } = publication;
    for (const { slug, sessions_total, bookings } of services) {
      const consulting_service_id = idOf(site_id, 'consulting_service', slug);
      const purchase_id = idOf(consulting_service_id, person_id);
      const of = { site_id, person_id, purchase_id, consulting_service_id };
      await this.#publish(publication, consultingPurchaseEvents, 'granted', purchase_id, {
        ...of,
        state: 'active',
        purchased_at: since,
        expires_at: null,
        sessions_total,
        sessions_used: bookings.length,
      });
      for (const { join_url, ...times } of bookings) {
        const meeting_id = idOf(purchase_id, times.starts_at);
        const meeting = { ...of, ...times, meeting_id, state: 'scheduled' as const, join_url: join_url ?? null };
        await this.#publish(publication, consultingMeetingEvents, 'booked', meeting_id, meeting);
      }
    }
  }

  async #registrations(publication: Publication, { person_id, since, events: slugs }: MemberPurchases): Promise<void> {
    const { site_id } = publication;
    for (const slug of slugs) {
      const event_id = present(await this.events.findBySlug(publication.principal, slug), `event "${slug}"`, site_id);
      const registration_id = idOf(event_id, person_id);
      await this.#publish(publication, eventRegistrationEvents, 'registered', registration_id, {
        registration_id,
        site_id,
        person_id,
        event_id,
        ticket_id: null,
        ticket_name: null,
        state: 'registered',
        registered_at: since,
        checked_in_at: null,
        canceled_at: null,
      });
    }
  }

  #publish<E extends EntityEvents>(
    { tx, site_id }: Publication,
    events: E,
    name: E['names'][number],
    aggregate_id: string,
    data: z.input<E['data']>,
  ): Promise<void> {
    return this.outbox.add(tx, events, name, { aggregate_id, aggregate_version: 1, site_id, data });
  }
}

function present(row: { readonly id: string } | undefined, what: string, site_id: string): string {
  if (row === undefined) throw new Error(`There is no ${what} at site ${site_id}`);
  return row.id;
}

/** A UUIDv8 (RFC 9562 §5.8) from names, stable between runs. */
function idOf(...names: readonly string[]): string {
  const bytes = createHash('sha256').update(names.join('\0')).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
