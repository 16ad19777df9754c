import type { Adapter } from 'oidc-provider';

function unused(method: string): never {
  throw new Error(`The engine called ${method} of a model, which this configuration does not use`);
}

/** An adapter with some methods only; a call of another one means that the engine's configuration changed. */
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
