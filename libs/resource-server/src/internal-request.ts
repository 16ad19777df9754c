import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal, Site } from '@lyceum/contracts';

/** Principal and site of a request that a service sends to itself. */
export interface InternalRequest {
  readonly principal: Principal;
  readonly site: Site;
}

const pending = new AsyncLocalStorage<{ request: InternalRequest | undefined }>();

/**
 * Sends one request to this service for a caller whose token was verified at the entry, for instance by the gateway.
 * The principal travels in the asynchronous context alone, so no request from outside can forge it. The first request
 * consumes it and passes the same guard and limits as any other.
 */
export function asInternalRequest<T>(request: InternalRequest, send: () => PromiseLike<T>): Promise<T> {
  // The async function starts `send` within the context: Fastify's inject starts lazily.
  return pending.run({ request }, async () => send());
}

/** Takes the internal request of the current context, once. */
export function takeInternalRequest(): InternalRequest | undefined {
  const store = pending.getStore();
  const request = store?.request;
  if (store !== undefined) store.request = undefined;
  return request;
}
