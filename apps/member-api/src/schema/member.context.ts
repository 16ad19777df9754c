import type { Principal, Site } from '@lyceum/contracts';
import type { FastifyRequest } from 'fastify';
import type { AnswerType } from './media-types.policy.js';

/** Apollo's context: who asks, where, and how they want the answer. */
export interface MemberContext {
  /** Guards and parameter decorators find principal and site on it. */
  readonly req: FastifyRequest;
  readonly principal: Principal;
  readonly site: Site;
  readonly answerType: AnswerType;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate of the GraphQL route. */
    memberContext?: MemberContext;
  }
}
