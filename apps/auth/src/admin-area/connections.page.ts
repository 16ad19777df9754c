import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { CONNECTIONS, SETTINGS, adminPage } from './admin.page.js';

/** The state on the page: the setting of the site follows the switch within seconds. */
function stateOf({ site, notice }: AccountContext): 'on' | 'off' | 'unset' {
  if (notice?.kind === 'connections_on') return 'on';
  if (notice?.kind === 'connections_off') return 'off';
  const { mcp_connections } = site.settings;
  if (mcp_connections === null) return 'unset';
  return mcp_connections ? 'on' : 'off';
}

/** `isUnavailable`: admin-api, which keeps the setting, cannot be reached. */
export function connectionsPage(context: AccountContext, isUnavailable = false): Page {
  const { csrf } = context;
  const shown = stateOf(context);
  const body = html`${isUnavailable && html`<p class="alarm" role="alert">${say('connections.unavailable')}</p>`}
    <p>${say(`connections.${shown}`)}</p>
    <form method="post" action="${CONNECTIONS}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <div class="actions">
        ${shown !== 'on' && html`<button type="submit" name="enabled" value="yes">${say('connections.switch_on')}</button>`}
        ${shown !== 'off' && html`<button type="submit" name="enabled" value="no" class="end">${say('connections.switch_off')}</button>`}
      </div>
    </form>`;
  const status = isUnavailable ? 503 : 200;
  return adminPage(context, { path: SETTINGS, title: say('admin.connections'), body, status });
}
