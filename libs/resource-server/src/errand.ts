import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal, Site } from '@lyceum/contracts';

/** Whom a request that a service sends to itself is for. */
export interface Errand {
  readonly principal: Principal;
  readonly site: Site;
}

const errands = new AsyncLocalStorage<{ errand: Errand | undefined }>();

/**
 * Sends one request to this very service for a caller whose token was checked where it came in, for instance by the
 * gateway. Whom it is for is known from the asynchronous context alone: there is nothing that a request from outside
 * could carry to the same effect. The first request takes it, and meets the guard, limits and pipes that any other meets.
 */
export function onErrand<T>(errand: Errand, send: () => PromiseLike<T>): Promise<T> {
  // A promise of ours within: what Fastify's inject gives begins only when somebody waits for it.
  return errands.run({ errand }, async () => send());
}

/** The errand of the request that begins now, once. */
export function takeErrand(): Errand | undefined {
  const store = errands.getStore();
  const errand = store?.errand;
  if (store !== undefined) store.errand = undefined;
  return errand;
}
