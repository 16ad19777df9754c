import type { Principal, Scope } from '@lyceum/contracts';
import { Audience, RequireScopes } from '@lyceum/resource-server';
import { applyDecorators } from '@nestjs/common';
import { Mutation, Query } from '@nestjs/graphql';
import type { MutationOptions, QueryOptions, ReturnTypeFunc } from '@nestjs/graphql';
import type { OperationTypeNode } from 'graphql';

interface OperationAccess {
  readonly audience: Principal['audience'];
  readonly scopes: readonly [Scope, ...Scope[]];
}

/**
 * The access that operations require, with all fields below their root types. GraphqlGate requires that of a query from
 * each request; OperationListener requires that of the operation.
 */
export const OPERATION_ACCESS = {
  query: { audience: 'member', scopes: ['account:read'] },
  mutation: { audience: 'member', scopes: ['account:read', 'account:write'] },
  // The schema has none.
  subscription: null,
} as const satisfies Readonly<Record<OperationTypeNode, OperationAccess | null>>;

/** `@Query` of Nest, with the access of a query. */
export function MemberQuery(type: ReturnTypeFunc, options: QueryOptions): MethodDecorator {
  return applyDecorators(Query(type, options), ...guarded(OPERATION_ACCESS.query));
}

/** `@Mutation` of Nest, with the access of a mutation. */
export function MemberMutation(type: ReturnTypeFunc, options: MutationOptions): MethodDecorator {
  return applyDecorators(Mutation(type, options), ...guarded(OPERATION_ACCESS.mutation));
}

/** For the guard of resolvers, which names the actor of a change. Queries that SQL serves do not reach it. */
function guarded({ audience, scopes }: OperationAccess): MethodDecorator[] {
  return [RequireScopes(...scopes), Audience(audience)];
}
