import { pendingLines } from '#src/pending-orders/pending-lines.js';

/** Condition on `events`: public events, past ones too. */
export const PUBLIC_EVENTS = `state in ('published', 'live', 'ended')`;

/** Condition on `events`: public events that are over. The clock may not have ended them yet. */
export const PAST_EVENTS = `${PUBLIC_EVENTS} and ends_at <= now()`;

/** Condition on `events`: public events that are not over. */
export const LISTED_EVENTS = `state in ('published', 'live') and ends_at > now()`;

/** Condition on `events`: those that the clock looks at. The index has it, and the instant from which it does. */
export const CLOCKED_EVENTS = `(unsettled or state in ('published', 'live'))`;
export const EVENT_DUE = `(
  case when unsettled then '-infinity'::timestamptz when state = 'published' then starts_at else ends_at end)`;

/** Condition on the event `$2` of the site `$1`: a pending order names one of its tickets. */
export const PENDING_TICKETS = pendingLines('in (select id from event_tickets where site_id = $1 and event_id = $2)');

/** The searched text, exactly as the index has it. */
export const EVENT_TEXT = `(name || ' ' || slug)`;

/** The tickets of a row of `events`. */
export const EVENT_TICKETS = `
  (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'price', json_build_object(
      'amount_minor', t.price_amount_minor, 'currency', t.price_currency), 'capacity', t.capacity,
      'position', t.position, 'sold_out', coalesce(t.sold_count >= t.capacity, false))
      order by t.position, t.id), '[]')
    from event_tickets t where t.site_id = events.site_id and t.event_id = events.id)`;
