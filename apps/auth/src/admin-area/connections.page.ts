import { say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { askFirst, confirmation } from '#src/accounts/confirmation.js';
import type { Connections } from '#src/grants/connections.js';
import { CONNECTIONS, SETTINGS, adminPage } from './admin.page.js';

/** The state on the page: the setting of the site follows the switch within seconds. */
function stateOf({ site, notice }: AccountContext): 'on' | 'off' | 'unset' {
  if (notice?.kind === 'connections_on') return 'on';
  if (notice?.kind === 'connections_off') return 'off';
  const { mcp_connections } = site.settings;
  if (mcp_connections === null) return 'unset';
  return mcp_connections ? 'on' : 'off';
}

const SWITCH_OFF = `${CONNECTIONS}/off`;

const switchOn = (csrf: string): Html =>
  html`<form method="post" action="${CONNECTIONS}">
    ${hiddenFields({ csrf, enabled: 'yes' })}
    <button type="submit">${say('connections.switch_on')}</button>
  </form>`;

/** `isUnavailable`: admin-api, which keeps the setting, cannot be reached. */
export function connectionsPage(context: AccountContext, isUnavailable = false): Page {
  const { csrf } = context;
  const shown = stateOf(context);
  const body = html`${isUnavailable && html`<p class="alarm" role="alert">${say('connections.unavailable')}</p>`}
    <p>${say(`connections.${shown}`)}</p>
    <div class="actions">
      ${shown !== 'on' && switchOn(csrf)} ${shown !== 'off' && askFirst(SWITCH_OFF, {}, say('connections.switch_off'))}
    </div>`;
  const status = isUnavailable ? 503 : 200;
  return adminPage(context, { path: SETTINGS, title: say('admin.connections'), body, status });
}

/** `connections`: those whose access to the tools ends. */
export function switchOffPage(context: AccountContext, { count, more }: Connections): Page {
  const effect = say(more ? 'connections.off_effect_of_many' : 'connections.off_effect', { count });
  const hidden = { csrf: context.csrf, enabled: 'no' };
  const button = say('connections.switch_off');
  const body = confirmation({ effect, action: CONNECTIONS, hidden, button, back: CONNECTIONS });
  return adminPage(context, { path: SETTINGS, title: say('connections.off_question'), body });
}
