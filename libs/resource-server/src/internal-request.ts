import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal, Site } from '@lyceum/contracts';

/** Whom a request that a service sends to itself is for. */
export interface InternalRequest {
  readonly principal: Principal;
  readonly site: Site;
}

const pending = new AsyncLocalStorage<{ request: InternalRequest | undefined }>();

/**
 * Sends one request to this very service for a caller whose token was checked where it came in, for instance by the
 * gateway. Whom it is for is known from the asynchronous context alone: there is nothing that a request from outside
 * could carry to the same effect. The first request takes it, and meets the guard, limits and pipes that any other meets.
 */
export function asInternalRequest<T>(request: InternalRequest, send: () => PromiseLike<T>): Promise<T> {
  // A promise of ours within: what Fastify's inject gives begins only when somebody waits for it.
  return pending.run({ request }, async () => send());
}

/** The errand of the request that begins now, once. */
export function takeInternalRequest(): InternalRequest | undefined {
  const store = pending.getStore();
  const request = store?.request;
  if (store !== undefined) store.request = undefined;
  return request;
}
