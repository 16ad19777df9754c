import { crc32 } from 'node:zlib';
import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Member } from './member.entity.js';
import { member, memberRoles } from './member.schema.js';
import { MemberService } from './member.service.js';

export const shownMember = { resource: member, personal: true };

export const memberCollection = collection({
  ...shownMember,
  name: 'members',
  description: 'Everybody with a role at the site, for its owners and admins.',
  scope: 'members',
  service: MemberService,
  row: Member,
  // Orders, subscriptions, enrollments and progress change what the member has, without an edit.
  etag: ({ revision, total_spent, active_subscription_ids: ids, enrollments_count, last_seen_at }) =>
    rowTag(
      revision,
      enrollments_count,
      last_seen_at?.getTime() ?? 0,
      ids.length === 0 ? 0 : crc32(ids.join()),
      ...total_spent.map(({ amount_minor }) => amount_minor),
    ),
  toolItem: ['id', 'email', 'name', 'state', 'roles', 'tags', 'joined_at', 'enrollments_count', 'last_seen_at'],
  operations: {
    list: {
      id: 'listMembers',
      summary: 'List members',
      description: 'Members of the site in each state, also removed ones. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the members of this site with their roles and states, newest first, for owners and admins. Use it to ' +
          'find a member by role, name or e-mail address; list_students shows students and their enrollments.',
      },
      run: (members, { principal, query }) => members.list(principal, query),
    },
    get: {
      id: 'getMember',
      summary: 'Get a member',
      description: 'Returns the profile, the state, the roles and `total_spent`. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one member of this site with the profile, for owners and admins. Use it with an id from list_members.',
      },
      run: (members, { principal, id }) => members.get(principal, id),
    },
    create: {
      id: 'inviteMember',
      summary: 'Invite a member',
      description:
        'Adds a person with these roles and mails an invitation. The member is `invited` until the first sign-in. Needs ' +
        'the role owner or admin. The role owner cannot be given.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Adds a person to this site with roles below owner and mails an invitation, for owners and admins. Use it for ' +
          'people who work at the site; enroll_student adds students to courses.',
      },
      run: (members, request) => members.invite(request),
    },
    update: {
      id: 'updateMember',
      summary: 'Update a member',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Only an owner changes an owner. The person sees ' +
        'the profile at this site, and can change it. `custom_fields` has the keys of `member_fields` of `GET /school`; ' +
        'null clears a value.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes the profile, tags or custom fields of a member, for owners and admins: absent fields stay, null ' +
          'clears. Use it to correct or tag a member; set_member_roles changes the roles.',
      },
      run: (members, request) => members.patch(request),
    },
    actions: {
      roles: {
        id: 'setMemberRoles',
        summary: 'Set the roles of a member',
        description:
          'The member gets these roles and loses all others; tokens that go beyond them end. The role owner cannot be ' +
          'given, members cannot change their own roles, and only an owner changes an owner.',
        body: memberRoles,
        problems: ['forbidden', 'invalid_state'],
        ends: true,
        tool: {
          description:
            'Gives a member exactly these roles, for owners and admins; tokens that go beyond them end at once. Use it to ' +
            'promote a member or take a role away; suspend_member keeps the roles.',
        },
        run: (members, request) => members.setRoles(request),
      },
      suspend: {
        id: 'suspendMember',
        summary: 'Suspend a member',
        description:
          'Ends sessions and tokens at this site and refuses sign-ins there; the roles stay. Other sites are not affected.',
        problems: ['forbidden', 'invalid_state'],
        ends: true,
        tool: {
          description:
            'Suspends an active member: sessions and tokens at this site end, the roles stay. Use it to lock somebody out ' +
            'for a while; reinstate_member ends it.',
        },
        run: (members, request) => members.suspend(request),
      },
      reinstate: {
        id: 'reinstateMember',
        summary: 'Reinstate a member',
        description: 'A suspended member can sign in again, with the same roles.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Ends the suspension of a member, who can sign in again with the same roles. Use it after suspend_member.',
        },
        run: (members, request) => members.reinstate(request),
      },
      remove: {
        id: 'removeMember',
        summary: 'Remove a member',
        description:
          'For good: sessions and tokens at this site end, and name, address, phone number, picture, tags and custom ' +
          'fields of the member and of their student are erased, from events within 24 hours. The id stays, without ' +
          'personal data. A person who is invited again is a new member. Other sites are not affected. A member with a ' +
          'live subscription cannot be removed.',
        problems: ['forbidden', 'invalid_state', 'resource_in_use'],
        ends: true,
        tool: {
          description:
            'Removes a member for good and erases their personal data at this site, which nothing brings back. Use it when ' +
            'somebody leaves and asks for it; suspend_member only locks them out.',
        },
        run: (members, request) => members.remove(request),
      },
    },
  },
});
