import type { Adapter } from 'oidc-provider';

function unused(method: string): never {
  throw new Error(`The engine asked a model for ${method}, which it has no use for in this configuration`);
}

/** An adapter of which a model uses only some methods; whoever calls another has changed the engine's configuration. */
export function modelAdapter(used: Partial<Adapter>): Adapter {
  return {
    upsert: () => unused('upsert'),
    find: () => unused('find'),
    findByUid: () => unused('findByUid'),
    findByUserCode: () => unused('findByUserCode'),
    consume: () => unused('consume'),
    destroy: () => unused('destroy'),
    revokeByGrantId: () => unused('revokeByGrantId'),
    ...used,
  };
}

const FOREIGN_KEY_VIOLATION = '23503';

/** The grant is gone: it was revoked while this was being issued. */
export function isGrantGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION;
}

/** What every caller does next is to destroy the grant, and the foreign key takes codes and tokens along. */
export const goesWithItsGrant = (): Promise<void> => Promise.resolve();
