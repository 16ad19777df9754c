import { instant, say } from '@lyceum/messages';
import { filterForm, select, textField } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { deviceIn } from '#src/audit/acting-device.js';
import { EVENTS_OF_SITE, filterQuery } from '#src/audit/audit-filter.policy.js';
import type { AuditFilter } from '#src/audit/audit-filter.policy.js';
import type { AuditRow } from '#src/audit/audit-row.js';
import { auditSentence } from '#src/audit/audit-sentence.policy.js';
import { AUDIT, adminPage } from './admin.page.js';

/** The sentence of an entry. A name stands before the address or the client_id. */
export function sentenceOf({ event, details, email, client_id, ...names }: AuditRow): string {
  const { person_name, client_name, actor_name } = names;
  return auditSentence({
    event,
    details,
    person: person_name ?? email,
    client: client_name ?? client_id,
    by: actor_name,
  });
}

interface Moment {
  readonly day: string;
  readonly clock: string;
  readonly zone: string;
}

/** The parts of `instant`, such as "2026-11-23 20:30:40 UTC". */
function momentOf({ occurred_at }: AuditRow): Moment {
  const [day = '', clock = '', zone = ''] = instant(occurred_at).split(' ');
  return { day, clock, zone };
}

function line(row: AuditRow): Html {
  const { occurred_at, event, email, client_id, details } = row;
  const { source } = details;
  const from = typeof source === 'string' || typeof source === 'number' ? say('audit.from_source', { source }) : null;
  const facts = [email, client_id, deviceIn(details), from, event]
    .filter((value) => typeof value === 'string')
    .join(' · ');
  return html`<li>
    <time datetime="${occurred_at.toISOString()}" title="${instant(occurred_at)}">${momentOf(row).clock}</time>
    ${sentenceOf(row)}
    <span class="quiet host">${facts}</span>
  </li>`;
}

/** The entries below the day on which they were written, in the zone of the reader. */
function days(rows: readonly AuditRow[]): Html[] {
  const byDay = Map.groupBy(rows, (row) => `${momentOf(row).day} ${momentOf(row).zone}`);
  return [...byDay].map(
    ([day, written]) =>
      html`<h2 class="day">${day}</h2>
        <ul class="log">
          ${written.map(line)}
        </ul>`,
  );
}

const events = (): { value: string; words: string }[] => [
  { value: '', words: say('audit.every_event') },
  ...EVENTS_OF_SITE.map((event) => ({ value: event, words: say(`audit_event.${event}`) })),
];

const filters = ({ person, client, event, from, to, timezone: zone }: AuditFilter): Html =>
  filterForm(AUDIT, [
    textField({ name: 'person', label: say('audit.filter_person'), value: person }),
    textField({ name: 'client', label: say('audit.filter_client'), value: client }),
    select({ name: 'event', label: say('audit.filter_event'), choices: events(), chosen: event }),
    textField({ name: 'from', label: say('audit.filter_from', { zone }), type: 'date', value: from }),
    textField({ name: 'to', label: say('audit.filter_to', { zone }), type: 'date', value: to }),
  ]);

const addressOf = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

export function auditPage(
  context: AccountContext,
  filter: AuditFilter,
  { rows, more }: { rows: readonly AuditRow[]; more: boolean },
): Page {
  const last = rows.at(-1);
  const query = filterQuery(filter);
  const older = last && addressOf(AUDIT, filterQuery(filter, { before: last.audit_id }));
  const body = html`<p class="lead">${say('admin.audit_text')}</p>
    ${filters(filter)}
    <p class="tools">
      <a href="${addressOf(`${AUDIT}/export`, query)}">${say('audit.download')}</a>
      ${query !== '' && html`<a href="${AUDIT}">${say('audit.show_all')}</a>`}
    </p>
    ${rows.length === 0 && html`<p class="empty">${say('list.no_entries')}</p>`} ${days(rows)}
    ${more && older !== undefined && html`<p><a rel="next" href="${older}">${say('list.older_entries')}</a></p>`}`;
  return adminPage(context, { path: AUDIT, title: say('admin.audit'), body });
}
