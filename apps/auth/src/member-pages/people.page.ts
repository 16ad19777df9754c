import { ROLES } from '@lyceum/contracts';
import { phrase, say } from '@lyceum/messages';
import { filterForm, initialOf, select, textField } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { timeAgo } from '#src/accounts/time-ago.js';
import { INVITE, PEOPLE, adminPage } from '#src/admin-area/admin.page.js';
import { addressWith } from '#src/admin-area/list-query.js';
import type { ListedMember, MemberFilter } from '#src/members/listed-member.js';
import { LISTED_STATES, memberPath, rolesInWords, stateBadge } from './member-words.js';

function row({ member_id, name, email, roles, state, joined_at }: ListedMember): Html {
  return html`<li class="row">
    <span class="tile" data-initial="${initialOf(name)}" aria-hidden="true"></span>
    <div class="name">
      <h2>
        <a href="${memberPath(member_id)}"><bdi>${name}</bdi></a>
      </h2>
      <p class="quiet small host">${email}</p>
      <p class="quiet small">
        ${phrase('people.roles_since', { roles: rolesInWords(roles), when: timeAgo(joined_at) })}
      </p>
    </div>
    ${stateBadge(state)}
  </li>`;
}

type Choice = { readonly value: string; readonly words: string };

const roleChoices = (): Choice[] => [
  { value: '', words: say('people.every_role') },
  ...ROLES.map((value) => ({ value, words: say(`role.${value}`) })),
];
const stateChoices = (): Choice[] => [
  { value: '', words: say('list.every_state') },
  ...LISTED_STATES.map((value) => ({ value, words: say(`member.state_${value}`) })),
];

function filters({ text, state, role }: MemberFilter): Html {
  return filterForm(PEOPLE, [
    textField({ name: 'q', label: say('people.search'), type: 'search', value: text }),
    select({ name: 'role', label: say('people.role'), choices: roleChoices(), chosen: role ?? '' }),
    select({ name: 'state', label: say('list.state'), choices: stateChoices(), chosen: state ?? '' }),
  ]);
}

const rows = (members: readonly ListedMember[]): Html =>
  html`<ul class="rows">
    ${members.map(row)}
  </ul>`;

export function peoplePage(
  context: AccountContext,
  filter: MemberFilter,
  { members, more }: { readonly members: readonly ListedMember[]; readonly more: boolean },
): Page {
  const { text, state, role } = filter;
  const after = members.at(-1)?.member_id;
  const isFiltered = text !== '' || state !== undefined || role !== undefined;
  const body = html`<p><a class="button main" href="${INVITE}">${say('people.invite')}</a></p>
    ${filters(filter)} ${isFiltered && html`<p class="tools"><a href="${PEOPLE}">${say('people.show_all')}</a></p>`}
    ${members.length === 0 ? html`<p class="empty">${say('people.no_match')}</p>` : rows(members)}
    ${more && html`<p><a rel="next" href="${addressWith(PEOPLE, { q: text, role, state, after })}">${say('people.more')}</a></p>`}`;
  return adminPage(context, { path: PEOPLE, title: say('admin.people'), body });
}
