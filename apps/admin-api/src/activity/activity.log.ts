import { curriculumEvents, eventType, lectureAttachmentEvents, textEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { RowPart, WrittenEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';

const COLUMNS = {
  site_id: 'uuid',
  id: 'uuid',
  action: 'text',
  object_type: 'text',
  object_id: 'uuid',
  member_id: 'uuid',
  client_id: 'text',
  via: 'text',
  request_id: 'text',
  changed_fields: 'text[]',
  created_at: 'timestamptz',
} as const;
type Entry = Readonly<Record<keyof typeof COLUMNS, unknown>>;

/** Parts of an object whose own event is logged: members read them from an event of their own. */
const PARTS: ReadonlySet<string> = new Set([lectureAttachmentEvents.entity, textEvents.entity]);

/** The event before it says what changed. */
const PIECE = eventType(curriculumEvents, 'piece');

const NAMES = Object.keys(COLUMNS) as (keyof Entry)[];
const INTO = `insert into activity (${NAMES.join(', ')})`;
/** Inserts one entry from parameters. Reading it from JSON would take longer than the insert. */
const ONE = {
  name: 'activity_one',
  text: `${INTO} values (${NAMES.map((_, at) => `$${at + 1}`).join(', ')}) returning 1`,
};
const MANY = {
  name: 'activity',
  text: `${INTO} select ${NAMES.join(', ')} from jsonb_to_recordset($1::jsonb)
    as entry (${Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')}) returning 1`,
};

/** Writes one row for each event that a person or a program caused, in the statement of the event. */
@Injectable()
export class ActivityLog {
  constructor(outbox: Outbox) {
    outbox.recordWith(rowsOf);
  }
}

function rowsOf(events: readonly WrittenEvent[]): RowPart | undefined {
  const entries = events.filter(isLogged).map(entryOf);
  const [first] = entries;
  if (first === undefined) return undefined;
  if (entries.length > 1) return { ...MANY, values: [JSON.stringify(entries)] };
  return { ...ONE, values: NAMES.map((name) => first[name]) };
}

/** A command without a client is a subcommand at the console. */
function isLogged({ entity, type, actor: { member_id, client_id, via } }: WrittenEvent): boolean {
  if (PARTS.has(entity) || type === PIECE) return false;
  return member_id !== null || (via === 'command' && client_id !== null);
}

function entryOf({ id, type, entity, aggregate_id, site_id, actor, changed, occurred_at }: WrittenEvent): Entry {
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
