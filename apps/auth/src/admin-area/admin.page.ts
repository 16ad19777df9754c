import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { noticeLine } from '#src/notices/notices.js';
import { page } from '#src/pages/page.js';

export const ADMIN = '/admin';
export const PEOPLE = '/admin/people';
export const INVITE = '/admin/invite';
export const APPLICATIONS = '/admin/applications';
export const NEW_APPLICATION = '/admin/new-application';
/** Clients that the site did not create: registered ones, and those by document. */
export const CLIENTS = '/admin/clients';
export const CLIENT_HOSTS = '/admin/client-hosts';
export const SETTINGS = '/admin/settings';
/** Name, language and time zone, and the appearance of the site. */
export const SCHOOL = '/admin/school';
export const LOOK = '/admin/appearance';
export const LOOK_PREVIEW = `${LOOK}/preview`;
export const CONNECTIONS = '/admin/mcp-connections';
export const ACTIVITY = '/admin/activity';
export const AUDIT = '/admin/audit';

const link = (path: string, text: string, here: string): Html =>
  html`<li><a href="${path}" ${path === here && html`aria-current="page"`}>${text}</a></li>`;

export interface AdminContent {
  /** The link of the navigation that the page belongs to. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Shows an image of the site itself. */
  readonly ownImage?: boolean;
}

export function adminPage(
  { site, notice }: AccountContext,
  { path, title, body, status = 200, ownImage = false }: AdminContent,
): Page {
  return page(site, {
    title,
    status,
    wide: true,
    ownImage,
    body: html`<nav aria-label="${say('admin.title')}">
        <ul>
          ${link(ADMIN, say('admin.title'), path)} ${link(PEOPLE, say('admin.people'), path)}
          ${site.settings.mcp_connections === true && link(APPLICATIONS, say('admin.applications'), path)}
          ${link(CLIENTS, say('admin.clients'), path)} ${link(SETTINGS, say('admin.settings'), path)}
          ${link(ACTIVITY, say('admin.activity'), path)} ${link(AUDIT, say('admin.audit'), path)}
          ${link('/account', say('admin.account'), path)}
        </ul>
      </nav>
      ${noticeLine(notice)}
      <h1>${title}</h1>
      ${body}`,
  });
}

export const card = (path: string, title: string, text: string | Html): Html =>
  html`<li>
    <a href="${path}">${title}</a>
    <p>${text}</p>
  </li>`;

export function overviewPage(context: AccountContext): Page {
  const connections = html`<a href="${CONNECTIONS}">${say('admin.connections')}</a>`;
  const isOn = context.site.settings.mcp_connections === true;
  const body = html`<ul class="cards">
      ${card(PEOPLE, say('admin.people'), say('admin.people_text'))}
      ${card(SETTINGS, say('admin.settings'), say('admin.settings_text'))}
      ${card(ACTIVITY, say('admin.activity'), say('admin.activity_text'))}
      ${card(AUDIT, say('admin.audit'), say('admin.audit_text'))}
    </ul>
    <h2>${say('admin.developers')}</h2>
    ${!isOn && html`<p class="quiet">${phrase('admin.developers_closed', { link: connections })}</p>`}
    <ul class="cards">
      ${isOn && card(APPLICATIONS, say('admin.applications'), say('admin.applications_text'))}
      ${card(CLIENTS, say('admin.clients'), say('admin.clients_text'))}
    </ul>`;
  return adminPage(context, { path: ADMIN, title: say('admin.title'), body });
}
