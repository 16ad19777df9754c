import { SCOPE_NAMES } from '@lyceum/contracts';
import { phrase, say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ConnectedApplication } from '#src/applications/connected-application.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { identityWords, permissionsOf } from '#src/sign-ins/permission.policy.js';
import type { Permission } from '#src/sign-ins/permission.policy.js';
import { askFirst } from './confirmation.js';
import { timeAgo } from './time-ago.js';

function permission({ title, reads, writes, weight, words }: Permission): Html {
  const bad = weight === 'sensitive' && html` bad`;
  return html`<li>
    <details>
      <summary>
        <span class="name">${title}</span>
        ${reads && html`<span class="badge">${say('consent.view')}</span>`}
        ${writes && html`<span class="badge${bad}">${say('consent.edit')}</span>`}
      </summary>
      <ul>
        ${words.map((one) => html`<li>${one}</li>`)}
      </ul>
    </details>
  </li>`;
}

function connection(connected: Date | null, used: Date | null): string | Html {
  if (connected === null) return say('account.allowed_only');
  const when = timeAgo(connected);
  return used === null
    ? phrase('account.connected', { when })
    : phrase('account.connected_used', { when, used: timeAgo(used) });
}

/** An application with what it may do, in the rows of the consent page. */
export function applicationItem(application: ConnectedApplication): Html {
  const { client_key, name, unverified, connected_at, used_at } = application;
  const scopes = SCOPE_NAMES.filter((scope) => application.scopes.includes(scope));
  const identity = identityWords(scopes);
  const permissions = permissionsOf(scopes, []);
  return html`<div class="item">
    <h3><bdi>${name}</bdi> ${unverified && html`<span class="badge warn">${say('consent.unverified')}</span>`}</h3>
    <p class="quiet">
      ${connection(connected_at, used_at)} ${identity !== undefined && say('consent.can_see', { facts: identity })}
    </p>
    ${
      permissions.length > 0 &&
      html`<ul class="rows" aria-label="${say('account.permissions_of', { name })}">
        ${permissions.map(permission)}
      </ul>`
    }
    ${askFirst(`${ACCOUNT}/disconnect`, { application: client_key }, say('account.disconnect_named', { name }))}
  </div>`;
}
