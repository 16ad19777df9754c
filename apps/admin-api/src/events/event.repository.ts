import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventDeclaration } from './event.schema.js';

@Injectable()
export class EventRepository {
  async insertTickets(
    tx: EntityManager,
    { site_id, id }: { readonly site_id: string; readonly id: string },
    tickets: EventDeclaration['tickets'],
  ): Promise<void> {
    await tx.query(
      `insert into event_tickets (site_id, event_id, name, price_amount_minor, price_currency, position)
       select $1, $2, t.name, (t.price ->> 'amount_minor')::bigint, t.price ->> 'currency', t.position
       from rows from (jsonb_to_recordset($3) as (name text, price jsonb)) with ordinality as t (name, price, position)`,
      [site_id, id, JSON.stringify(tickets)],
    );
  }
}
