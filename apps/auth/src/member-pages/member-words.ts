import { ROLES } from '@lyceum/contracts';
import type { MemberState, Role } from '@lyceum/contracts';
import { listOf, say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { PEOPLE } from '#src/admin-area/admin.page.js';

/** The states of members in lists. Removed ones are not listed. */
export const LISTED_STATES = ['invited', 'active', 'suspended'] as const satisfies readonly MemberState[];

const CLASSES: Readonly<Record<MemberState, string>> = {
  invited: 'warn',
  active: '',
  suspended: 'bad',
  removed: 'bad',
};

export const stateBadge = (state: MemberState): Html =>
  html`<span class="badge ${CLASSES[state]}">${say(`member.state_${state}`)}</span>`;

export const rolesInWords = (roles: readonly Role[]): string =>
  listOf(ROLES.filter((role) => roles.includes(role)).map((role) => say(`role.${role}`)));

export const memberPath = (memberId: string): string => `${PEOPLE}/${memberId}`;
