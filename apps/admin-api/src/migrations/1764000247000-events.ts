import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that the operator API writes, their tickets and their registrations (ADR 93). */
export class Events1764000247000 implements MigrationInterface {
  name = 'Events1764000247000';

  async up(runner: QueryRunner): Promise<void> {
    await this.#events(runner);
    await this.#tickets(runner);
    await this.#registrations(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table event_registrations;

      drop index event_tickets_order, event_tickets_created, event_tickets_updated;
      -- Positions may repeat, which the constraint of the earlier release refuses
      update event_tickets t set position = ranked.place
      from (select site_id, id, row_number() over (partition by site_id, event_id order by position, id) as place
            from event_tickets) ranked
      where t.site_id = ranked.site_id and t.id = ranked.id;
      alter table event_tickets
        add constraint event_tickets_position unique (site_id, event_id, position),
        drop column capacity, drop column sold_count, drop column external_id, drop column metadata,
        drop column version, drop column created_at, drop column updated_at,
        alter column position drop default;

      drop index events_due;
      alter table events
        drop constraint events_within_capacity,
        drop column unsettled, drop column waitlist, drop column external_id,
        drop column metadata, drop column published_at, drop column canceled_at, drop column revision;
    `);
  }

  async #events(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table events
        -- A full event keeps a waiting list
        add column waitlist boolean not null default false,
        add column external_id text,
        add column metadata jsonb not null default '{}',
        add column published_at timestamptz(3),
        add column canceled_at timestamptz(3),
        -- Grows with each edit; the version grows with each event
        add column revision int not null default 1,
        -- Registrations wait for a place or for their cancellation: the clock goes on with them
        add column unsettled boolean not null default false;
      update events set
        published_at = case when state <> 'draft' then updated_at end,
        canceled_at = case when state = 'canceled' then updated_at end;
      alter table events
        -- GET /events?external_id=…, and the upsert
        add constraint events_external_id unique (site_id, external_id),
        add constraint events_canceled check ((state = 'canceled') = (canceled_at is not null)),
        -- Invented counts of earlier releases may be above the capacity
        add constraint events_within_capacity check (capacity is null or registrations_count <= capacity) not valid;
      -- the clock: events of all sites that are due
      create index events_due on events ((
        case when unsettled then '-infinity'::timestamptz when state = 'published' then starts_at else ends_at end
      )) where unsettled or state in ('published', 'live');
    `);
  }

  async #tickets(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table event_tickets
        drop constraint event_tickets_position,
        alter column position set default 1,
        -- null: as many as the event has places
        add column capacity int check (capacity > 0),
        -- Taken places. They change in the transaction of each registration
        add column sold_count int not null default 0,
        add column external_id text,
        add column metadata jsonb not null default '{}',
        add column version int not null default 1,
        add column created_at timestamptz(3) not null default now(),
        add column updated_at timestamptz(3) not null default now(),
        add check (sold_count >= 0 and (capacity is null or sold_count <= capacity)),
        -- GET /events/{event_id}/tickets?external_id=…
        add constraint event_tickets_external_id unique (site_id, external_id);
      -- the tickets of an event in their order, and sort=position
      create index event_tickets_order on event_tickets (site_id, event_id, position, id);
      -- sort=created_at and created_at[…]
      create index event_tickets_created on event_tickets (site_id, event_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index event_tickets_updated on event_tickets (site_id, event_id, updated_at, id);
    `);
  }

  async #registrations(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_registrations (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        event_id uuid not null,
        -- null: the event had no tickets
        ticket_id uuid,
        student_id uuid not null,
        state text not null check (state in ('registered', 'waitlisted', 'checked_in', 'no_show', 'canceled')),
        source text not null default 'manual' check (source in ('order', 'manual', 'free', 'import')),
        order_id uuid,
        registered_at timestamptz(3) not null default now(),
        checked_in_at timestamptz(3),
        canceled_at timestamptz(3),
        external_id text,
        metadata jsonb not null default '{}',
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        foreign key (site_id, event_id) references events (site_id, id),
        foreign key (site_id, ticket_id) references event_tickets (site_id, id),
        check ((state = 'canceled') = (canceled_at is not null)),
        check ((state = 'checked_in') = (checked_in_at is not null)),
        check ((source = 'order') = (order_id is not null)),
        -- GET /events/{event_id}/registrations?external_id=…
        constraint event_registrations_external_id unique (site_id, external_id)
      );
      -- one registration of a student that is not canceled
      create unique index event_registrations_open on event_registrations (site_id, event_id, student_id)
        where state <> 'canceled';
      -- the registrations of an event, sort=created_at and created_at[…]
      create index event_registrations_created on event_registrations (site_id, event_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index event_registrations_updated on event_registrations (site_id, event_id, updated_at, id);
      -- state=…, and the open registrations of a canceled event
      create index event_registrations_state on event_registrations (site_id, event_id, state, created_at, id);
      -- ticket_id=…, and the deletion of a ticket
      create index event_registrations_ticket on event_registrations (site_id, event_id, ticket_id, created_at, id);
      -- student_id=…
      create index event_registrations_of_student
        on event_registrations (site_id, event_id, student_id, created_at, id);
      -- the waiting list in its order
      create index event_registrations_waiting on event_registrations (site_id, event_id, registered_at, id)
        where state = 'waitlisted';
      -- the registrations of a student who is linked
      create index event_registrations_student on event_registrations (site_id, student_id);
      -- the registrations that an order made
      create index event_registrations_order on event_registrations (site_id, order_id) where order_id is not null;
    `);
  }
}
