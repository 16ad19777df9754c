import { phrase, say } from '@lyceum/messages';
import { checkboxes, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import type { SiteSettings } from '#src/sites/site.js';
import { CLIENT_HOSTS, CONNECTIONS, LOOK, SCHOOL, SETTINGS, adminPage, card } from './admin.page.js';

/** The settings that auth keeps, which owners and admins switch. */
const CLIENTS = ['loopback_registration', 'localhost_registration', 'cimd_open'] as const;
const ACCOUNTS = ['sign_up', 'sign_in_links'] as const;

export const SITE_SWITCHES = [...CLIENTS, ...ACCOUNTS] as const satisfies readonly (keyof SiteSettings)[];
export type SiteSwitch = (typeof SITE_SWITCHES)[number];

const choices = (switches: readonly SiteSwitch[]): { value: string; words: string }[] =>
  switches.map((value) => ({ value, words: say(`settings.${value}`) }));

/** `settings`: as stored now, which is newer than those of the request. `isStale`: a form was made from older ones. */
export function settingsPage(context: AccountContext, settings: SiteSettings, { isStale = false } = {}): Page {
  const { mcp_connections, cimd_hosts } = settings;
  const connections = mcp_connections === null ? 'unset' : mcp_connections ? 'on' : 'off';
  const state = html`<span class="badge">${say(`settings.state_${connections}`)}</span>`;
  const chosen = SITE_SWITCHES.filter((name) => settings[name]);
  const body = html`${isStale && html`<p class="alarm" role="alert">${say('form.stale')}</p>`}
    <ul class="cards">
      ${card(SCHOOL, say('school.title'), say('school.text'))} ${card(LOOK, say('look.title'), say('look.text'))}
      ${card(CONNECTIONS, say('admin.connections'), phrase('settings.connections_text', { state }))}
      ${card(CLIENT_HOSTS, say('hosts.title'), say('settings.hosts', { count: cimd_hosts.length }))}
    </ul>
    <h2>${say('settings.who')}</h2>
    <form method="post" action="${SETTINGS}">
      ${hiddenFields({ csrf: context.csrf, [FORM_BASE]: formBase(settings, SITE_SWITCHES) })}
      ${checkboxes({ name: 'on', label: say('admin.clients'), choices: choices(CLIENTS), chosen })}
      ${checkboxes({ name: 'on', label: say('settings.accounts'), choices: choices(ACCOUNTS), chosen })}
      <div class="actions"><button class="main" type="submit">${say('form.save')}</button></div>
    </form>`;
  return adminPage(context, { path: SETTINGS, title: say('admin.settings'), body, status: isStale ? 412 : 200 });
}
