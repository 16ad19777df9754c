import { z } from 'zod';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

/**
 * Mails the invitation of a student again. Refused with `invalid_state` unless the membership of the person at the site
 * is `invited`, with `rate_limited`, and with `temporarily_unavailable` until auth has applied the events of the
 * student. The result reveals nothing about other sites.
 */
export const resendStudentInvitation = defineRequest({
  service: 'auth',
  name: 'resend_student_invitation',
  version: 1,
  input: z.object({
    student_id: z.uuid(),
    /** Address at the school. A different one at auth means that an event is still in transit. */
    email: z.string(),
    /** Checks everything and mails nothing. */
    dry_run: z.boolean(),
  }),
  output: z.object({}),
});

/** Describes a principal at the site of the request. Not found when the person has no role left. */
export const describePerson = defineRequest({
  service: 'auth',
  name: 'describe_person',
  version: 1,
  input: z.object({ person_id: z.uuid(), site_id: z.uuid() }),
  output: z.object({
    name: z.string(),
    email: z.string(),
    picture: z.string().nullable(),
    roles: z.array(roleSchema),
  }),
});
