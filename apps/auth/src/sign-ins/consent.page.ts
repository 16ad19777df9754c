import { phrase, say } from '@lyceum/messages';
import { hiddenFields, initialOf } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import { page } from '#src/pages/page.js';
import { PLATFORMS } from '#src/platforms/platforms.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import { namesIn } from '#src/registrations/client-name.policy.js';
import type { Grantable } from '#src/scopes/grantable.policy.js';
import { clientBase, destinationOf, isUnverified } from './client-origin.policy.js';
import { identityWords, permissionsOf } from './permission.policy.js';
import type { Permission } from './permission.policy.js';

export interface ConsentView {
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
  readonly person: { readonly name: string; readonly email: string };
  readonly grantable: Grantable;
  /** The scopes that the person approved before. */
  readonly approved: readonly string[];
  /** The path of the logo of an approved client. */
  readonly logo: string | undefined;
  readonly csrf: string;
  readonly forged?: boolean;
}

type Allowed = Extract<Grantable, { allowed: true }>;

const pathOf = ({ pending }: ConsentView, action: string): string =>
  `${ENDPOINTS.interaction}/${pending.uid}/${action}`;

/** The developer of an unverified client chose its name, so the name is quoted. */
function headingOf({ name }: OAuthClient, site: string, unverified: boolean): Html {
  const values = { client: html`<bdi>${name}</bdi>`, site: html`<bdi>${site}</bdi>` };
  return phrase(unverified ? 'consent.question_unverified' : 'consent.question', values);
}

function account(view: ConsentView): Html {
  const { person, csrf } = view;
  return html`<form class="who" method="post" action="${pathOf(view, 'switch')}">
    ${hiddenFields({ csrf })}
    <p>
      ${phrase('consent.signed_in_as', {
        name: html`<bdi title="${person.email}">${person.name}</bdi>`,
        email: html`<bdi>${person.email}</bdi>`,
      })}
    </p>
    <button class="link" type="submit">${say('chooser.another')}</button>
  </form>`;
}

function permission({ title, reads, writes, weight, words, isNew }: Permission): Html {
  const bad = weight === 'sensitive' && html` bad`;
  return html`<li>
    <details>
      <summary>
        <span class="name">${title}</span>
        ${isNew && html`<span class="badge warn">${say('consent.new')}</span>`}
        ${reads && html`<span class="badge">${say('consent.view')}</span>`}
        ${writes && html`<span class="badge${bad}">${say('consent.edit')}</span>`}
      </summary>
      <ul>
        ${words.map((one) => html`<li>${one}</li>`)}
      </ul>
    </details>
  </li>`;
}

/** The source of an unverified client; nothing for a client of the site or the deployment. */
function warning({ pending, client }: ConsentView): Html | undefined {
  const known = [...PLATFORMS.map(({ name }) => name), pending.site.name];
  const [borrowed] = namesIn(client.name, known);
  const imitation = borrowed !== undefined && phrase('consent.imitation', { borrowed });
  if (client.source === 'document') {
    const host = html`<strong>${destinationOf(client.client_id).text}</strong>`;
    return html`<p class="notice">${phrase('consent.document', { host })}${imitation}</p>`;
  }
  if (client.source === 'platform') {
    return html`<p class="notice">${say('consent.platform')}</p>`;
  }
  return html`<p class="notice">${say('consent.self_registered')}${imitation}</p>`;
}

function reviewed({ client_id, source }: OAuthClient): Html | false {
  return (
    source === 'document' &&
    html`<p class="quiet">${say('consent.published_at', { host: destinationOf(client_id).text })}</p>`
  );
}

/** The logo as the site approved it, otherwise the initial. The heading has the name. */
function tile({ client, logo }: ConsentView, unverified: boolean): Html {
  return unverified || logo === undefined
    ? html`<span class="tile" data-initial="${initialOf(client.name)}" aria-hidden="true"></span>`
    : html`<img class="tile" src="${logo}" alt="" width="48" height="48" />`;
}

function decision(view: ConsentView, { granted }: Allowed, unverified: boolean): Html {
  const { pending, client, csrf } = view;
  const { text, isWeb } = destinationOf(pending.redirect_uri);
  const main = html`class="main"`;
  return html`<form class="bar" method="post" action="${pathOf(view, 'consent')}">
    ${hiddenFields({ csrf, shown: granted.join(' '), [FORM_BASE]: clientBase(client) })}
    <p>${phrase(isWeb ? 'consent.continue_at' : 'consent.continue_in', { place: html`<strong>${text}</strong>` })}</p>
    <div class="actions">
      <button type="submit" name="decision" value="deny">${say('consent.deny')}</button>
      <button ${!unverified && main} type="submit" name="decision" value="approve">${say('consent.allow')}</button>
    </div>
  </form>`;
}

function question(view: ConsentView, allowed: Allowed): Html {
  const { pending, client, approved } = view;
  const unverified = isUnverified(client, pending.redirect_uri);
  const identity = identityWords(allowed.granted);
  const permissions = permissionsOf(allowed.granted, approved);
  const news = permissions.some(({ isNew }) => isNew);
  return html`<div class="client">
      ${tile(view, unverified)}
      <h1>
        ${headingOf(client, pending.site.name, unverified)}
        ${unverified && html`<span class="badge warn">${say('consent.unverified')}</span>`}
      </h1>
    </div>
    ${view.forged && html`<p class="alarm" role="alert">${say('consent.forged')}</p>`}
    ${unverified ? warning(view) : reviewed(client)}
    ${identity !== undefined && html`<p>${say('consent.can_see', { facts: identity })}</p>`}
    ${permissions.length > 0 && html`<p>${say(news ? 'consent.more_than_before' : 'consent.can_use')}</p>`}
    ${
      permissions.length > 0 &&
      html`<ul class="rows" aria-label="${say('consent.permissions')}">
        ${permissions.map(permission)}
      </ul>`
    }
    ${allowed.withheld.length > 0 && html`<p class="quiet small">${say('consent.withheld')}</p>`}
    ${decision(view, allowed, unverified)}`;
}

/** Names the people who can help: the person cannot change it here. */
function refusal(view: ConsentView): Html {
  const { pending, client, csrf } = view;
  const site = html`<bdi>${pending.site.name}</bdi>`;
  const help =
    client.audience === 'operator'
      ? html`<p>${phrase('consent.ask_owner', { site })}</p>
          <p class="quiet">${say('consent.lecturers')}</p>`
      : html`<p>${phrase('consent.ask_invitation', { site })}</p>`;
  const who = say(client.audience === 'operator' ? 'consent.refused_operator' : 'consent.refused_member');
  const heading = isUnverified(client, pending.redirect_uri) ? 'consent.refused_unverified' : 'consent.refused';
  return html`<h1>${phrase(heading, { client: html`<bdi>${client.name}</bdi>` })}</h1>
    <p class="alarm" role="alert">${who}</p>
    ${help}
    <form method="post" action="${pathOf(view, 'consent')}">
      ${hiddenFields({ csrf })}
      <div class="actions">
        <button class="main" type="submit" name="decision" value="deny">${say('consent.go_back')}</button>
      </div>
    </form>`;
}

export function consentPage(view: ConsentView): Page {
  const { pending, client, grantable } = view;
  const body = grantable.allowed ? question(view, grantable) : refusal(view);
  return page(pending.site, {
    title: say(grantable.allowed ? 'consent.title' : 'consent.refused', { client: client.name }),
    leadsToApplication: true,
    ownImage: view.logo !== undefined,
    status: view.forged === true ? 403 : 200,
    body: html`${account(view)}${body}`,
  });
}
