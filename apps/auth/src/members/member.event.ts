import { ERASED_NAME, erasedEmail, orderRoles } from '@lyceum/contracts';
import type { roleEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import type { Person } from '#src/people/person.js';
import type { SiteMember } from './members.repository.js';
import { nameOf } from './profile.policy.js';

export const aggregateOf = ({ site_id, person_id }: SiteMember): string => `${site_id}:${person_id}`;

export interface EventCause {
  /** The student of the school whose event caused the change. */
  readonly student_id?: string | null;
  /** The person became a member, for the first time or again. */
  readonly joined?: boolean;
}

/** Returns the event of a membership. The event of an erased one has no personal data. */
export function toEvent(
  person: Pick<Person, 'email'>,
  member: SiteMember,
  { student_id = null, joined = false }: EventCause = {},
): NewEvent<typeof roleEvents> {
  const { member_id, site_id, person_id, state, roles, version, joined_at, picture, locale, phone, timezone } = member;
  const erased = member.erased_at !== null;
  return {
    aggregate_id: aggregateOf(member),
    aggregate_version: version,
    site_id,
    data: {
      member_id,
      site_id,
      person_id,
      email: erased ? erasedEmail(member_id) : person.email,
      name: erased ? ERASED_NAME : nameOf(member.name ?? undefined, person.email),
      picture,
      locale,
      phone,
      timezone,
      state,
      roles: orderRoles(roles),
      joined_at: joined_at.toISOString(),
      student_id,
      joined,
    },
  };
}
