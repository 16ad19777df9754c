import type { Principal, Site } from '@lyceum/contracts';
import type { FastifyRequest } from 'fastify';
import type { ResponseType } from './media-types.policy.js';

/** Apollo's context: the caller, the site and the response type. */
export interface MemberContext {
  /** Guards and parameter decorators read principal and site from it. */
  readonly req: FastifyRequest;
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
