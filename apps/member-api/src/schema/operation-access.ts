import type { Principal, Scope } from '@lyceum/contracts';
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
