import { z } from 'zod';
import type { Role } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';
import { roleEvents } from './events.js';

/** Roles that operators can give. No application can make an owner. */
export const GRANTED_ROLES = ['admin', 'lecturer', 'teaching_assistant', 'student'] as const satisfies readonly Role[];

/** Domain of the addresses that replace erased ones. RFC 2606 reserves it, so it receives no mail. */
const ERASED_DOMAIN = '@deleted.invalid';

/** The name of a person whose data was erased. */
export const ERASED_NAME = 'Deleted';

/** Returns the unique address that replaces the one of an erased person. */
export function erasedEmail(id: string): string {
  return `${id}${ERASED_DOMAIN}`;
}

export function isErasedEmail(email: string): boolean {
  return email.endsWith(ERASED_DOMAIN);
}

/** Members of all requests that change a membership. */
const change = {
  /** A repetition with the same id changes nothing and gets the same response. */
  request_id: z.uuid(),
  /** Checks the change and rolls it back. */
  dry_run: z.boolean(),
  /** The operator who makes the change. */
  actor: z.object({ member_id: z.uuid(), client_id: z.string().min(1), via: z.enum(['rest', 'tool']) }),
};
const ofMember = { ...change, member_id: z.uuid() };

/** The state of a membership in its events, with the position of the event. */
const membershipSchema = z.object({
  ...roleEvents.data.shape,
  member_id: z.uuid(),
  epoch: z.int().positive(),
  version: z.int().positive(),
});
export type Membership = z.infer<typeof membershipSchema>;

const output = z.object({
  membership: membershipSchema,
  /** False if the membership already had the requested values. */
  changed: z.boolean(),
});
export type ChangedMembership = z.infer<typeof output>;

const profile = {
  name: z.string().optional(),
  picture: z.string().nullable().optional(),
  locale: z.string().nullable().optional(),
  phone: z.string().nullable().optional(),
};

const define = <In extends z.ZodType>(name: string, input: In) =>
  defineRequest({ service: 'auth', name, version: 1, input, output });

/** Adds a person to the site of the request, and mails an invitation. */
export const inviteMember = define(
  'invite_member',
  z.object({ ...change, ...profile, email: z.string(), roles: z.array(z.enum(GRANTED_ROLES)).min(1) }),
);
/** Changes the named members of a profile. */
export const changeMember = define('change_member', z.object({ ...ofMember, ...profile }));
/** Sets exactly these roles of a member. */
export const setMemberRoles = define(
  'set_member_roles',
  z.object({ ...ofMember, roles: z.array(z.enum(GRANTED_ROLES)).min(1) }),
);
export const suspendMember = define('suspend_member', z.object(ofMember));
export const reinstateMember = define('reinstate_member', z.object(ofMember));
/** Ends the membership and erases its profile. */
export const removeMember = define('remove_member', z.object(ofMember));

/** Requests by which admin-api changes memberships. */
export const MEMBER_REQUESTS = [
  inviteMember,
  changeMember,
  setMemberRoles,
  suspendMember,
  reinstateMember,
  removeMember,
] as const;
