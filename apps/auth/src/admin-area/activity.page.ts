import { activitySentence, phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ActivitySummary } from '@lyceum/contracts';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { timeAgo } from '#src/accounts/time-ago.js';
import { ACTIVITY, adminPage } from './admin.page.js';

export interface Activity {
  readonly entries: readonly ActivitySummary[];
  readonly next_cursor: string | null;
}

/** Renders the page. Undefined activity shows that it is unavailable. */
export function activityPage(context: AccountContext, activity: Activity | undefined): Page {
  const body = activity === undefined ? unavailable(ACTIVITY) : list(activity);
  return adminPage(context, { path: ACTIVITY, title: say('admin.activity'), body });
}

function unavailable(path: string): Html {
  const link = html`<a href="${path}">${say('activity.try_again')}</a>`;
  return html`<p role="alert">${phrase('activity.unavailable', { link })}</p>`;
}

function list({ entries, next_cursor }: Activity): Html {
  const older =
    next_cursor !== null &&
    html`<p>
      <a rel="next" href="${ACTIVITY}?cursor=${encodeURIComponent(next_cursor)}">${say('list.older_entries')}</a>
    </p>`;
  return html`<p class="lead">${say('admin.activity_text')}</p>
    ${entries.length === 0 && html`<p class="empty">${say('list.no_entries')}</p>`}
    <ul class="log">
      ${entries.map(line)}
    </ul>
    ${older}`;
}

function line({ created_at, summary, change, client_id, via }: ActivitySummary): Html {
  return html`<li>
    ${timeAgo(new Date(created_at))} ${(change && activitySentence(change)) ?? html`<span lang="en">${summary}</span>`}
    <span class="quiet host">${[client_id, via].filter((text) => text !== null).join(' · ')}</span>
  </li>`;
}
