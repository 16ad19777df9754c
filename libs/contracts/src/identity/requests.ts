import { z } from 'zod';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

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
