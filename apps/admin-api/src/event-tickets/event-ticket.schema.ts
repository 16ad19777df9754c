import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { currency, externalId, metadata, moneyIn, name } from '@lyceum/rest';
import { z } from 'zod';
import { MAX_PLACES } from '#src/events/event.schema.js';

const MAX_POSITION = 1000;

const EXAMPLE = {
  id: '019ab3c0-a320-7b4c-9d5e-2f3a4b5c6d71',
  event_id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  name: 'Seat with dinner',
  price: { amount_minor: 80_000, currency: 'TWD' },
  capacity: 20,
  sold_count: 12,
  position: 2,
  external_id: 'open-evening-dinner',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** Tools describe each argument. */
const price = moneyIn.extend({ currency: currency.meta({ description: 'Code of ISO 4217, such as TWD' }) });

const position = z.int().min(1).max(MAX_POSITION);

export const eventTicket = resource('EventTicket', {
  one: 'ticket',
  fields: {
    event_id: readOnly(z.uuid()),
    name: editable(name(100).meta({ description: 'Name that buyers read' })),
    price: editable(
      price.meta({ description: 'In the currency of the school, if it has set one; an amount of 0 is free' }),
    ),
    capacity: editable(
      z
        .int()
        .min(1)
        .max(MAX_PLACES)
        .nullable()
        .meta({ description: 'Places of this ticket, not below those that are sold; null: those of the event' }),
      null,
    ),
    sold_count: readOnly(
      z
        .int()
        .min(0)
        .meta({ description: 'Taken places, exact: registrations that are neither waitlisted nor canceled' }),
    ),
    position: editable(
      position.meta({ description: 'Place in the list; tickets of one position stand by their age' }),
      1,
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: { position: position.optional().meta({ description: 'Without it, after the last ticket' }) },
  sorts: ['position', '-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { external_id: externalId },
  examples: {
    object: EXAMPLE,
    create: { name: EXAMPLE.name, price: EXAMPLE.price, capacity: EXAMPLE.capacity },
    patch: { price: { amount_minor: 25_000 }, capacity: 30 },
  },
});
export type EventTicketCreate = CreateOf<typeof eventTicket>;
export type EventTicketPatch = PatchOf<typeof eventTicket>;
export type EventTicketListQuery = ListQueryOf<typeof eventTicket>;
