import { z } from 'zod';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';

/** Who a principal is, at the site of the request: for tools that answer "who am I". Not found when no role is left. */
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
