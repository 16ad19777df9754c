import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ActivitySummary } from '@lyceum/contracts';
import type { Page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ACTIVITY, adminPage, timeOf } from './admin.page.js';

export interface Activity {
  readonly entries: readonly ActivitySummary[];
  readonly next_cursor: string | null;
}

/** Without activity the page says that it cannot be shown. */
export function activityPage(site: SiteRecord, activity: Activity | undefined): Page {
  const body = activity === undefined ? unavailable(ACTIVITY) : list(activity);
  return adminPage(site, { path: ACTIVITY, title: 'Activity', body });
}

function unavailable(path: string): Html {
  return html`<p role="alert">The activity cannot be shown at the moment. <a href="${path}">Try again</a></p>`;
}

function list({ entries, next_cursor }: Activity): Html {
  const older =
    next_cursor !== null &&
    html`<p><a rel="next" href="${ACTIVITY}?cursor=${encodeURIComponent(next_cursor)}">Older entries</a></p>`;
  return html`${entries.length === 0 && html`<p>No entries.</p>`}
    <ul class="log">
      ${entries.map(line)}
    </ul>
    ${older}`;
}

function line({ created_at, summary, client_id, via }: ActivitySummary): Html {
  return html`<li>
    ${timeOf(new Date(created_at))} ${summary}
    <span class="quiet">${[client_id, via].filter((text) => text !== null).join(' · ')}</span>
  </li>`;
}
