import { Injectable } from '@nestjs/common';
import type { Principal, Revocation } from '@lyceum/contracts';
import { Revocations } from './revocations.js';

interface OpenResponse {
  readonly principal: Principal;
  readonly end: () => void;
}

/**
 * Ends long responses together with their token, which is verified only at their begin. A broadcast that is missed
 * leaves them open until the token expires.
 */
@Injectable()
export class TokenEnds {
  readonly #open = new Set<OpenResponse>();

  constructor(revocations: Revocations) {
    revocations.onRevocation((revocation) => {
      for (const { principal, end } of this.#open) if (names(revocation, principal)) end();
    });
  }

  /** Number of responses that wait for their end. */
  get size(): number {
    return this.#open.size;
  }

  /** Calls the function once, when the token expires or is revoked. Returns the function that stops the wait. */
  wait(principal: Principal, ended: () => void): () => void {
    const stop = (): void => {
      clearTimeout(expiry);
      this.#open.delete(open);
    };
    const end = (): void => {
      stop();
      ended();
    };
    const expiry = setTimeout(end, Math.max(0, principal.expires_at * 1000 - Date.now())).unref();
    const open = { principal, end };
    this.#open.add(open);
    return stop;
  }
}

function names({ kind, subject, site_id }: Revocation, principal: Principal): boolean {
  return principal[`${kind}_id`] === subject && (site_id === null || site_id === principal.site_id);
}
