import { randomUUID } from 'node:crypto';
import { say } from '@lyceum/messages';
import { checkboxes, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { confirmation } from '#src/accounts/confirmation.js';
import { timeAgo } from '#src/accounts/time-ago.js';
import { AUDIT, PEOPLE, adminPage } from '#src/admin-area/admin.page.js';
import { addressWith } from '#src/admin-area/list-query.js';
import type { ListedMember } from '#src/members/listed-member.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import { roleChoices } from './invitation.form.js';
import { memberPath, rolesInWords, stateBadge } from './member-words.js';

export interface MemberRefusal {
  readonly status: number;
  readonly message: string;
}

/** Why the visitor cannot change the member. Undefined: they can. auth checks it again with each change. */
export function untouchable({ person }: AccountContext, { member_id, roles }: ListedMember): string | undefined {
  if (member_id === person.member_id) return say('member.own');
  if (roles.includes('owner') && !person.roles.includes('owner')) return say('member.owner');
  return undefined;
}

/** The id makes two submissions of a form change one thing. */
const once = ({ csrf }: AccountContext, { member_id }: ListedMember): Record<string, string> => ({
  csrf,
  member: member_id,
  request: randomUUID(),
});

function roles(context: AccountContext, member: ListedMember): Html {
  return html`${member.roles.includes('owner') && html`<p class="notice">${say('member.is_owner')}</p>`}
    <form method="post" action="${PEOPLE}/roles">
      ${hiddenFields({ ...once(context, member), [FORM_BASE]: formBase(member, ['roles']) })}
      ${checkboxes({ name: 'role', label: say('people.roles'), choices: roleChoices(), chosen: member.roles })}
      <div class="actions"><button class="main" type="submit">${say('member.save_roles')}</button></div>
    </form>`;
}

/** A form that changes the member at once. */
const does = (context: AccountContext, member: ListedMember, action: string, button: string): Html =>
  html`<form method="post" action="${PEOPLE}/${action}">
    ${hiddenFields(once(context, member))}
    <button type="submit">${button}</button>
  </form>`;

/** A button that opens the question before an action. */
const asks = ({ member_id }: ListedMember, action: MemberEnding, button: string): Html =>
  html`<form method="get" action="${memberPath(member_id)}/${action}">
    <button class="end" type="submit">${button}</button>
  </form>`;

function access(context: AccountContext, member: ListedMember): Html {
  const { state } = member;
  return html`<h2>${say('member.access')}</h2>
    ${state === 'invited' && html`<p>${say('member.not_signed_in')}</p>`}
    <div class="actions">
      ${state === 'invited' && does(context, member, 'resend', say('member.resend'))}
      ${state === 'suspended' && does(context, member, 'reinstate', say('member.reinstate'))}
      ${state === 'active' && asks(member, 'suspend', say('member.suspend'))}
      ${asks(member, 'remove', say(state === 'invited' ? 'member.withdraw' : 'member.remove'))}
    </div>`;
}

export function memberPage(context: AccountContext, member: ListedMember, refusal?: MemberRefusal): Page {
  const { name, email, state, joined_at } = member;
  const reason = untouchable(context, member);
  const body = html`${refusal && html`<p class="alarm" role="alert">${refusal.message}</p>`}
    <dl>
      <dt>${say('form.email')}</dt>
      <dd class="host"><code data-copy>${email}</code></dd>
      ${
        reason !== undefined &&
        html`<dt>${say('people.roles')}</dt>
          <dd>${rolesInWords(member.roles)}</dd>`
      }
      <dt>${say('list.state')}</dt>
      <dd>${stateBadge(state)}</dd>
      <dt>${say(state === 'invited' ? 'member.invited' : 'member.joined')}</dt>
      <dd>${timeAgo(joined_at)}</dd>
    </dl>
    ${reason === undefined ? html`${roles(context, member)} ${access(context, member)}` : html`<p class="notice">${reason}</p>`}
    <h2>${say('admin.audit')}</h2>
    <p>
      <a href="${addressWith(AUDIT, { person: email })}">${say('member.everything')}</a> ·
      <a href="${addressWith(AUDIT, { person: email, event: 'sign_in.failed' })}">${say('member.failed_sign_ins')}</a>
    </p>
    <p><a href="${PEOPLE}">${say('people.all')}</a></p>`;
  const status = refusal?.status ?? 200;
  return adminPage(context, { path: PEOPLE, title: name, body, status });
}

/** Changes that are confirmed first. */
export const MEMBER_ENDINGS = ['suspend', 'remove'] as const;
export type MemberEnding = (typeof MEMBER_ENDINGS)[number];

function endingWords(
  ending: MemberEnding,
  { name, state }: ListedMember,
): Record<'title' | 'effect' | 'button', string> {
  const act = ending === 'remove' && state === 'invited' ? 'withdraw' : ending;
  return {
    title: say(`member.${act}_question`, { name }),
    effect: say(`member.${act}_effect`),
    button: say(`member.${act}`),
  };
}

export function memberEndingPage(context: AccountContext, member: ListedMember, ending: MemberEnding): Page {
  const { title, effect, button } = endingWords(ending, member);
  const question = { effect, action: `${PEOPLE}/${ending}`, hidden: once(context, member), button };
  const body = html`<p class="host">${member.email}</p>
    ${confirmation({ ...question, back: memberPath(member.member_id) })}`;
  return adminPage(context, { path: PEOPLE, title, body });
}

interface GivenRoles {
  readonly given: readonly string[];
  /** The roles that the form was made from. */
  readonly base: string | undefined;
}

/** Asks before an owner stops being one. */
export function ownerRolesPage(context: AccountContext, member: ListedMember, { given, base = '' }: GivenRoles): Page {
  const hidden = { ...once(context, member), [FORM_BASE]: base, confirmed: 'yes' };
  const { name } = member;
  const body = html`<p>${say('member.owner_effect', { name })}</p>
    <form method="post" action="${PEOPLE}/roles">
      ${hiddenFields(hidden)} ${given.map((role) => html`<input type="hidden" name="role" value="${role}" />`)}
      <div class="actions"><button class="end" type="submit">${say('member.save_roles')}</button></div>
    </form>
    <p><a href="${memberPath(member.member_id)}">${say('form.cancel')}</a></p>`;
  return adminPage(context, { path: PEOPLE, title: say('member.owner_question', { name }), body });
}
