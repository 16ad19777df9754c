import { Outbox } from '@lyceum/messaging';
import type { RowPart, WrittenEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';

const INSERT = {
  name: 'activity',
  text: `insert into activity (site_id, id, action, object_type, object_id, member_id, client_id, via, request_id,
                               changed_fields, created_at)
    select site_id, id, action, object_type, object_id, member_id, client_id, via, request_id, changed_fields, created_at
    from jsonb_to_recordset($1::jsonb) as entry
      (site_id uuid, id uuid, action text, object_type text, object_id uuid, member_id uuid, client_id text, via text,
       request_id text, changed_fields text[], created_at timestamptz)
    returning 1`,
};

/** Writes one row for each event that a person or a program caused, in the statement of the event. */
@Injectable()
export class ActivityLog {
  constructor(outbox: Outbox) {
    outbox.recordWith(rowsOf);
  }
}

function rowsOf(events: readonly WrittenEvent[]): RowPart | undefined {
  const entries = events.filter(({ actor }) => isLogged(actor)).map(entryOf);
  return entries.length === 0 ? undefined : { ...INSERT, values: [JSON.stringify(entries)] };
}

/** A command without a client is a subcommand at the console. */
function isLogged({ member_id, client_id, via }: WrittenEvent['actor']): boolean {
  return member_id !== null || (via === 'command' && client_id !== null);
}

function entryOf({ id, type, entity, aggregate_id, site_id, actor, changed, occurred_at }: WrittenEvent): object {
  const { member_id, client_id, via, request_id } = actor;
  return {
    site_id,
    id,
    action: `${entity}.${type.split('.')[2]}`,
    object_type: entity,
    // The aggregate of settings is the site, whose id is internal.
    object_id: aggregate_id === site_id ? null : aggregate_id,
    member_id,
    client_id,
    via,
    request_id,
    changed_fields: changed,
    created_at: occurred_at,
  };
}
