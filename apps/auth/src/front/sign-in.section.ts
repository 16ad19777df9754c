import { phrase, say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { APPLICATIONS } from '#src/admin-area/admin.page.js';
import { PAGE_CLIENTS } from '#src/clients/page-client.policy.js';
import type { ClientPage, PageClient } from '#src/clients/page-client.policy.js';
import type { SiteRecord } from '#src/sites/site.js';

interface SignIn {
  readonly page: ClientPage;
  readonly client: PageClient | undefined;
  /** Requested without an application of the site. */
  readonly scope: string;
}

/** How to get a client_id. The platform has no client of its own (contract, "Member clients"). */
function help({ base_url, settings }: SiteRecord, { page, client }: SignIn): Html {
  if (client !== undefined) return html`<p>${say('try.added')}</p>`;
  const { path, audience } = PAGE_CLIENTS[page];
  const link = html`<a href="${APPLICATIONS}">${say('try.add')}</a>`;
  const uri = html`<code>${base_url}${path}</code>`;
  return html`<p>${phrase(settings.mcp_connections === true ? 'try.missing' : 'try.missing_off', { link })}</p>
    <p>${phrase(audience === 'member' ? 'try.own_member' : 'try.own_operator', { uri })}</p>`;
}

/** The form that starts the sign-in. The script of the page sends it; without scripts it is of no use. */
export function signInSection(site: SiteRecord, signIn: SignIn): Html {
  const { page, client, scope } = signIn;
  const redirectUri = site.base_url + PAGE_CLIENTS[page].path;
  const words = { in: say('try.signed_in'), foreign: say('try.not_started') };
  const fields = html`<label>
      client_id <input name="client_id" required autocomplete="off" value="${client?.client_id ?? ''}" />
    </label>
    <label>
      ${say('try.scopes')} <input name="scope" required autocomplete="off" value="${client?.scope ?? scope}" />
    </label>`;
  const about = html`<summary>${say(client === undefined ? 'try.get_client' : 'try.about')}</summary>
    <p>${say('try.permission')}</p>
    ${help(site, signIn)}`;
  const submit = html`<button type="submit">${say('sign_in.title')}</button>`;
  return html`<section class="site-note" aria-label="${say('try.label')}">
    <form
      id="sign-in"
      data-redirect-uri="${redirectUri}"
      data-signed-in="${words.in}"
      data-not-started="${words.foreign}"
    >
      ${
        client === undefined
          ? html`${fields} ${submit}
              <details>${about}</details>`
          : html`${submit}
              <details>
                ${about}
                <div class="site-fields">${fields}</div>
              </details>`
      }
    </form>
    <div class="site-state">
      <p id="state" role="status"></p>
      <button type="button" id="sign-out" hidden>${say('account.sign_out')}</button>
    </div>
  </section>`;
}
