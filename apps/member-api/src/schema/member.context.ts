import type { Principal, Site } from '@lyceum/contracts';
import type { ResponseType } from './media-types.policy.js';

/** Apollo's context: the caller, the site and the response type. */
export interface MemberContext {
  readonly principal: Principal;
  readonly site: Site;
  readonly responseType: ResponseType;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate of the GraphQL route. */
    memberContext?: MemberContext;
  }
}
