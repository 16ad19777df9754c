import { curriculumEvents, eventType, lectureAttachmentEvents, textEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { RowPart, WrittenEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { ACTIVITY_COLUMNS, INSERT_MANY, INSERT_ONE } from './activity.statements.js';
import type { ActivityEntry } from './activity.statements.js';

/** Parts of an object whose own event is logged: members read them from an event of their own. */
const PARTS: ReadonlySet<string> = new Set([lectureAttachmentEvents.entity, textEvents.entity]);

/** The event before it says what changed. */
const PIECE = eventType(curriculumEvents, 'piece');

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
  if (entries.length > 1) return { ...INSERT_MANY, values: [JSON.stringify(entries)] };
  return { ...INSERT_ONE, values: ACTIVITY_COLUMNS.map((name) => first[name]) };
}

/** A command without a client is a subcommand at the console. */
function isLogged({ entity, type, actor: { member_id, client_id, via } }: WrittenEvent): boolean {
  if (PARTS.has(entity) || type === PIECE) return false;
  return member_id !== null || (via === 'command' && client_id !== null);
}

function entryOf({
  id,
  type,
  entity,
  aggregate_id,
  site_id,
  actor,
  changed,
  occurred_at,
}: WrittenEvent): ActivityEntry {
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
