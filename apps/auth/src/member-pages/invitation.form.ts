import { randomUUID } from 'node:crypto';
import { GRANTED_ROLES } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { say } from '@lyceum/messages';
import { checkboxes, faultSummary, hiddenFields, textField } from '@lyceum/pages';
import type { Choice, FormFaults, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { PEOPLE, adminPage } from '#src/admin-area/admin.page.js';
import { single } from '#src/edge/body.js';
import { profileForm } from '#src/members/profile.policy.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { memberPath } from './member-words.js';

/** The fields as typed. */
export interface InvitationFields {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
}

type GrantedRole = (typeof GRANTED_ROLES)[number];

const isGranted = (role: string): role is GrantedRole => GRANTED_ROLES.some((one) => one === role);

/** The roles that operators can give, each with its effect. */
export const roleChoices = (): Choice[] =>
  GRANTED_ROLES.map((role) => ({ value: role, words: say(`role.${role}_effect`) }));

/** The roles that operators can give, of those in a form. Undefined for another role, and without any. */
export function grantedRoles(roles: readonly string[]): Role[] | undefined {
  const granted = roles.filter(isGranted);
  return granted.length === roles.length && granted.length > 0 ? granted : undefined;
}

export function invitationFields(form: URLSearchParams): InvitationFields {
  return {
    email: (single(form, 'email') ?? '').trim(),
    name: (single(form, 'name') ?? '').trim(),
    roles: form.getAll('role'),
  };
}

/** All faults of the fields, by field. Without a name the person is called by the address. */
export function invitationFaults({ email, name, roles }: InvitationFields): FormFaults {
  const named = name === '' ? undefined : profileForm.shape.name.safeParse(name);
  return {
    ...(canonicalEmail(email) === undefined && { email: [say('invitation.enter_email')] }),
    ...(named?.success === false && { name: named.error.issues.map(({ message }) => message) }),
    ...(grantedRoles(roles) === undefined && { role: [say('member.select_role')] }),
  };
}

export interface RefusedInvitation {
  readonly given: InvitationFields;
  readonly faults: FormFaults;
  /** The member who has the address. */
  readonly taken?: string | undefined;
}

const EMPTY: InvitationFields = { email: '', name: '', roles: [] };

export function invitationPage(context: AccountContext, refused?: RefusedInvitation): Page {
  const { given = EMPTY, faults = {}, taken } = refused ?? {};
  // The id makes two submissions of this form invite once.
  const hidden = { csrf: context.csrf, request: randomUUID() };
  const body = html`${faultSummary(faults)}
    ${taken !== undefined && html`<p><a href="${memberPath(taken)}">${say('invitation.show_taken')}</a></p>`}
    <p class="lead">${say('invitation.lead')}</p>
    <form method="post" action="${PEOPLE}">
      ${hiddenFields(hidden)}
      ${textField({ name: 'email', label: say('form.email'), type: 'email', value: given.email, required: true, faults: faults['email'] })}
      ${textField({ name: 'name', label: say('invitation.name'), value: given.name, faults: faults['name'] })}
      ${checkboxes({ name: 'role', label: say('people.roles'), choices: roleChoices(), chosen: given.roles, faults: faults['role'] })}
      <div class="actions"><button class="main" type="submit">${say('invitation.send')}</button></div>
    </form>
    <p><a href="${PEOPLE}">${say('people.all')}</a></p>`;
  const status = refused === undefined ? 200 : 422;
  return adminPage(context, { path: PEOPLE, title: say('people.invite'), body, status });
}
