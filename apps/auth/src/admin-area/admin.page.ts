import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { AuditRow } from '#src/audit/audit-row.js';
import type { ListedDocument } from '#src/client-documents/listed-document.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';

export const ADMIN = '/admin';
export const APPLICATIONS = '/admin/applications';
export const REVIEWS = '/admin/reviews';
export const ACTIVITY = '/admin/activity';
export const AUDIT = '/admin/audit';

/** The same page for a visitor without access and for an unknown path. */
export function adminNotFoundPage(site: SiteRecord): Page {
  return page(site, {
    title: 'The page does not exist',
    status: 404,
    body: html`<h1>The page does not exist</h1>
      <p>The address is wrong, or your role at ${site.name} has no access to this page.</p>
      <p><a href="/account">Your account</a></p>`,
  });
}

const link = (path: string, text: string, here: string): Html =>
  html`<li><a href="${path}" ${path === here && html`aria-current="page"`}>${text}</a></li>`;

export interface AdminContent {
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

export function adminPage(site: SiteRecord, { path, title, body, status = 200 }: AdminContent): Page {
  return page(site, {
    title,
    status,
    wide: true,
    body: html`<nav aria-label="Admin area">
        <ul>
          ${link(ADMIN, 'Admin area', path)}
          ${site.settings.mcp_connections && link(APPLICATIONS, 'OAuth applications', path)}
          ${link(REVIEWS, 'Reviews', path)} ${link(ACTIVITY, 'Activity', path)} ${link(AUDIT, 'Audit log', path)}
          ${link('/account', 'Your account', path)}
        </ul>
      </nav>
      <h1>${title}</h1>
      ${body}`,
  });
}

export function overviewPage(site: SiteRecord): Page {
  const applications =
    site.settings.mcp_connections &&
    html`<li><a href="${APPLICATIONS}">OAuth applications</a>: make clients for the members of this site.</li>`;
  const body = html`<h2>Developers</h2>
    <ul>
      ${applications}
      <li><a href="${REVIEWS}">Applications that describe themselves</a>: approve or block them.</li>
      <li><a href="${AUDIT}">Audit log</a>: who signed in, what was allowed, and what was ended.</li>
    </ul>
    <h2>School</h2>
    <ul>
      <li><a href="${ACTIVITY}">Activity</a>: the changes that members of the team made, newest first.</li>
    </ul>`;
  return adminPage(site, { path: ADMIN, title: 'Admin area', body });
}

const host = (uri: string): string => URL.parse(uri)?.host || uri;

function review({ client_id, name, redirect_uris, review: state, last_used_at }: ListedDocument, csrf: string): Html {
  return html`<div class="item">
    <h2>${name}</h2>
    <dl>
      <dt>Published at</dt>
      <dd class="host">${client_id}</dd>
      <dt>Sends people to</dt>
      <dd class="host">${[...new Set(redirect_uris.map(host))].join(', ')}</dd>
      <dt>State</dt>
      <dd>
        ${state}${last_used_at === null ? ', never used' : `, last used on ${last_used_at.toISOString().slice(0, 10)}`}
      </dd>
    </dl>
    <form method="post" action="${REVIEWS}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="client_id" value="${client_id}" />
      <div class="actions">
        ${state !== 'approved' && html`<button type="submit" name="review" value="approved">Approve</button>`}
        ${state !== 'blocked' && html`<button type="submit" name="review" value="blocked" class="end">Block</button>`}
        ${state !== 'unreviewed' && html`<button type="submit" name="review" value="unreviewed">Reset to unreviewed</button>`}
      </div>
    </form>
  </div>`;
}

export function reviewsPage({ site, csrf }: AccountContext, documents: readonly ListedDocument[]): Page {
  const body = html`<p>
      Applications that describe themselves by a document. Until you approve one it may only read; a blocked one gets
      nothing, and what it had ends.
    </p>
    ${documents.length === 0 && html`<p>No applications yet.</p>`} ${documents.map((one) => review(one, csrf))}`;
  return adminPage(site, { path: REVIEWS, title: 'Applications that describe themselves', body });
}

/** Shows an instant in UTC. */
export function timeOf(instant: Date): Html {
  const text = instant.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`;
}

function line({ occurred_at, event, email, client_id, details }: AuditRow): Html {
  const about = [email, client_id].filter((value) => value !== null).join(' · ');
  return html`<li>
    ${timeOf(occurred_at)}
    <strong>${event}</strong> <span class="host">${about}</span>
    ${Object.keys(details).length > 0 && html`<br /><code>${JSON.stringify(details)}</code>`}
  </li>`;
}

export function auditPage(
  { site }: AccountContext,
  { rows, more }: { rows: readonly AuditRow[]; more: boolean },
): Page {
  const last = rows.at(-1);
  const older =
    more && last !== undefined && html`<p><a rel="next" href="${AUDIT}?before=${last.audit_id}">Older entries</a></p>`;
  const body = html`${rows.length === 0 && html`<p>No older entries.</p>`}
    <ul class="log">
      ${rows.map(line)}
    </ul>
    ${older}`;
  return adminPage(site, { path: AUDIT, title: 'Audit log', body });
}
