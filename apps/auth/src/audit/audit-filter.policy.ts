import { DAY_MS, instantOf } from '@lyceum/platform';
import { isOfSite } from './audit-entry.js';
import { AUDIT_EVENTS } from './audit-sentence.policy.js';

/** The filters of the audit log, as typed. Empty filters nothing. */
export interface AuditFilter {
  /** The address of a member, in lower case. */
  readonly person: string;
  /** The name or the client_id of an application. */
  readonly client: string;
  readonly event: string;
  /** Dates in `timezone`, both included. */
  readonly from: string;
  readonly to: string;
  /** A name of the IANA time zone database. */
  readonly timezone: string;
}

const FIELDS = ['person', 'client', 'event', 'from', 'to'] as const satisfies readonly (keyof AuditFilter)[];
/** Characters. More than any address, and than any client_id in use. */
const LENGTH = 512;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The greatest and the least UUIDv7. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The events that the log of a site can have. */
export const EVENTS_OF_SITE = AUDIT_EVENTS.filter(isOfSite);

const isDate = (text: string): boolean => DATE.test(text) && !Number.isNaN(Date.parse(text));

/** The filters in the query of an address. A value that cannot be one filters nothing. */
export function auditFilter(query: Readonly<Record<string, unknown>>, timezone: string): AuditFilter {
  const typed = (name: keyof AuditFilter): string => {
    const value = query[name];
    return typeof value === 'string' && value.length <= LENGTH && !value.includes('\0') ? value.trim() : '';
  };
  const event = EVENTS_OF_SITE.find((known) => known === typed('event')) ?? '';
  const date = (name: 'from' | 'to'): string => (isDate(typed(name)) ? typed(name) : '');
  const [person, client] = [typed('person').toLowerCase(), typed('client')];
  return { person, client, event, from: date('from'), to: date('to'), timezone };
}

/** The filters as the query of an address. */
export function filterQuery(filter: AuditFilter, more: Readonly<Record<string, string>> = {}): string {
  const given = FIELDS.map((name): [string, string] => [name, filter[name]]).filter(([, value]) => value !== '');
  return new URLSearchParams([...given, ...Object.entries(more)]).toString();
}

/** The least id of an instant: ids begin with their milliseconds (RFC 9562 §5.7). */
function idAt(instant: number): string {
  const time = Math.max(0, instant).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The ids between two dates: not before `first`, and before `last`. */
export function idRange({ from, to, timezone }: AuditFilter): { readonly first: string; readonly last: string } {
  return {
    first: from === '' ? FIRST_ID : idAt(instantOf(Date.parse(from), timezone)),
    last: to === '' ? LAST_ID : idAt(instantOf(Date.parse(to) + DAY_MS, timezone)),
  };
}
