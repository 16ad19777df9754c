import { LIMITS } from '../connection/limits.js';

/** Returns false when a pass has to end. It is called for each batch of the pass. */
export type Step = () => Promise<boolean>;

/**
 * Returns the step of a pass over rows or messages, which renews the lease of the pass in time.
 *
 * @param renew returns false if this replica does not have the lease any more
 */
export function leaseStep(renew: () => Promise<boolean>, signal: AbortSignal | undefined): Step {
  let renewed = Date.now();
  let leased = true;
  return async () => {
    if (leased && Date.now() - renewed > LIMITS.erasureLeaseRenewal) {
      leased = await renew();
      renewed = Date.now();
    }
    return leased && signal?.aborted !== true;
  };
}
