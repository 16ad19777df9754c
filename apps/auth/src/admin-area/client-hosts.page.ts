import { phrase, say } from '@lyceum/messages';
import { faultSummary, hiddenFields, textField } from '@lyceum/pages';
import type { FormFaults, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { SiteSettings } from '#src/sites/site.js';
import { CLIENT_HOSTS, SETTINGS, adminPage } from './admin.page.js';

export interface RefusedHost {
  readonly given: string;
  readonly fault: string;
}

function item(host: string, csrf: string): Html {
  return html`<li class="row">
    <span class="name host">${host}</span>
    <form method="post" action="${CLIENT_HOSTS}/remove">
      ${hiddenFields({ csrf, host })}
      <button class="link" type="submit" aria-label="${say('hosts.remove_named', { host })}">
        ${say('hosts.remove')}
      </button>
    </form>
  </li>`;
}

const list = (hosts: readonly string[], csrf: string): Html =>
  html`<ul class="rows">
    ${hosts.map((host) => item(host, csrf))}
  </ul>`;

/** `settings`: as stored now. */
export function clientHostsPage(context: AccountContext, settings: SiteSettings, refused?: RefusedHost): Page {
  const { csrf } = context;
  const { cimd_hosts, cimd_open } = settings;
  const faults: FormFaults = refused === undefined ? {} : { host: [refused.fault] };
  const link = html`<a href="${SETTINGS}">${say('admin.settings')}</a>`;
  const control = { label: say('hosts.host'), hint: say('hosts.hint'), value: refused?.given ?? '', required: true };
  const body = html`${faultSummary(faults)}
    <p class="lead">${say('hosts.lead')}</p>
    ${cimd_open && html`<p class="notice">${phrase('hosts.open', { link })}</p>`}
    <form method="post" action="${CLIENT_HOSTS}">
      ${hiddenFields({ csrf })} ${textField({ name: 'host', ...control, faults: faults['host'] })}
      <div class="actions"><button class="main" type="submit">${say('hosts.add')}</button></div>
    </form>
    ${cimd_hosts.length === 0 ? html`<p class="empty">${say('hosts.none')}</p>` : list(cimd_hosts, csrf)}
    <p>${link}</p>`;
  const status = refused === undefined ? 200 : 422;
  return adminPage(context, { path: SETTINGS, title: say('hosts.title'), body, status });
}
