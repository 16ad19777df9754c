import { SCOPES, isScope } from '@lyceum/contracts';
import { phrase, say } from '@lyceum/messages';
import { checkboxes, faultSummary, hiddenFields, radios, textArea, textField } from '@lyceum/pages';
import type { Choice, FormFaults, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { OAuthClient } from '#src/clients/client.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import { randomToken } from '#src/secrets/digest.js';
import { APPLICATIONS, NEW_APPLICATION, adminPage } from './admin.page.js';
import type { NewApplication } from './admin-actions.js';
import { applicationPath, kindOf } from './application-words.js';
import { APPLICATION_KINDS, scopesOfKind } from './application.policy.js';
import type { ApplicationFields, ApplicationKind } from './application.policy.js';

const NONE: FormFaults = {};

/** The first page of a new application: its purpose decides which permissions it can have. */
export function newApplicationPage(context: AccountContext): Page {
  const card = (kind: ApplicationKind): Html =>
    html`<li>
      <a href="${NEW_APPLICATION}?for=${kind}">${say(`application.kind_${kind}`)}</a>
      <p>${say(`application.who_${kind}`)}</p>
    </li>`;
  const body = html`<p>${say('application.choose')}</p>
    <ul class="cards">
      ${APPLICATION_KINDS.map(card)}
    </ul>
    <p><a href="${APPLICATIONS}">${say('application.all')}</a></p>`;
  return adminPage(context, { path: APPLICATIONS, title: say('application.new'), body });
}

function scopeChoice(scope: string): Choice {
  if (!isScope(scope)) return { value: scope, words: scope };
  const badge =
    SCOPES[scope].weight === 'sensitive' && html` <span class="badge bad">${say('application.sensitive')}</span>`;
  return { value: scope, words: html`${say(`scope.${scope}`)} (<code>${scope}</code>)${badge}` };
}

function fieldset(fields: ApplicationFields, kind: ApplicationKind, faults: FormFaults): Html {
  const { name, redirect_uris, post_logout_redirect_uris, scopes, compatibility_mode } = fields;
  return html`${textField({ name: 'name', label: say('application.name'), value: name, required: true, faults: faults['name'] })}
  ${textArea({
    name: 'redirect_uris',
    label: say('application.redirect_uris'),
    hint: say('application.redirect_hint'),
    lines: redirect_uris,
    rows: 3,
    faults: faults['redirect_uris'],
  })}
  ${checkboxes({
    name: 'scope',
    label: say('application.may'),
    choices: scopesOfKind(kind).map(scopeChoice),
    chosen: scopes,
    faults: faults['scope'],
  })}
  ${textArea({
    name: 'post_logout_redirect_uris',
    label: say('application.post_logout_optional'),
    hint: say('application.post_logout_hint'),
    lines: post_logout_redirect_uris,
    rows: 2,
    faults: faults['post_logout_redirect_uris'],
  })}
  ${checkboxes({
    name: 'compatibility_mode',
    label: say('application.compatibility'),
    choices: [
      {
        value: 'yes',
        words: phrase('application.compatibility_text', {
          state: html`<code>state</code>`,
          resource: html`<code>resource</code>`,
        }),
      },
    ],
    chosen: compatibility_mode ? ['yes'] : [],
  })}`;
}

/** Only what most applications of a kind need is checked at first. */
function emptyFields(kind: ApplicationKind): ApplicationFields {
  const scopes = scopesOfKind(kind).filter((scope) => !scope.includes(':') || scope === 'account:read');
  return { name: '', redirect_uris: [], scopes, post_logout_redirect_uris: [], compatibility_mode: false };
}

const secretChoices = (): Choice[] =>
  (['public', 'confidential'] as const).map((value) => ({ value, words: say(`application.${value}_text`) }));

export function applicationFormPage(
  context: AccountContext,
  kind: ApplicationKind,
  refused?: { readonly given: NewApplication; readonly faults: FormFaults },
): Page {
  const { given, faults = NONE } = refused ?? {};
  const type = given?.confidential === true ? 'confidential' : 'public';
  // The token makes two submissions of this form create one application.
  const hidden = { csrf: context.csrf, form: given?.form ?? randomToken(), for: kind };
  const body = html`${faultSummary(faults)}
    <p>${say(`application.who_${kind}`)}</p>
    <form method="post" action="${APPLICATIONS}">
      ${hiddenFields(hidden)} ${fieldset(given ?? emptyFields(kind), kind, faults)}
      ${radios({ name: 'kind', label: say('application.kind'), choices: secretChoices(), chosen: [type] })}
      <div class="actions"><button class="main" type="submit">${say('application.create')}</button></div>
    </form>
    <p><a href="${NEW_APPLICATION}">${say('application.other_purpose')}</a></p>`;
  const status = refused === undefined ? 200 : 422;
  return adminPage(context, { path: APPLICATIONS, title: say(`application.new_${kind}`), body, status });
}

interface RefusedEdit {
  readonly given: ApplicationFields;
  readonly faults: FormFaults;
  /** The values that the refused form was made from. */
  readonly base: string | undefined;
}

const EDITED = [
  'name',
  'redirect_uris',
  'scopes',
  'post_logout_redirect_uris',
  'compatibility_mode',
] as const satisfies readonly (keyof ApplicationFields)[];

/** `stale`: the form was made from values that were changed since. Shows the current ones. */
export function editApplicationPage(
  context: AccountContext,
  client: OAuthClient,
  refused?: RefusedEdit | 'stale',
): Page {
  const isStale = refused === 'stale';
  const shown = { given: client, faults: NONE, base: formBase(client, EDITED) };
  const { given, faults, base } = refused === undefined || isStale ? shown : refused;
  const kind = kindOf(client);
  const body = html`${isStale && html`<p class="alarm" role="alert">${say('form.stale')}</p>`} ${faultSummary(faults)}
    <p>${say('application.edit_effect')}</p>
    <form method="post" action="${APPLICATIONS}/change">
      ${hiddenFields({ csrf: context.csrf, application: client.client_id, [FORM_BASE]: base ?? '' })}
      ${fieldset(given, kind, faults)}
      <div class="actions"><button class="main" type="submit">${say('form.save')}</button></div>
    </form>
    <p><a href="${applicationPath(client.client_id)}">${say('form.cancel')}</a></p>`;
  const status = refused === undefined ? 200 : isStale ? 412 : 422;
  return adminPage(context, {
    path: APPLICATIONS,
    title: say('application.edit_named', { name: client.name }),
    body,
    status,
  });
}
