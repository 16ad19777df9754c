import { holdsScopes } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { isObject } from '@lyceum/platform';
import { ApiResponse } from '../responses/response.js';
import type { StoredResponse } from './stored-response.js';
import { storedResponseOf } from './stored-response.js';
import { redact } from './write-response.js';
import type { WriteResponse } from './write-response.js';

/**
 * A write answers with the object that it has changed. A caller without the read scope sees no more than that: of a
 * no-op, a dry run, and a replay of what was answered to a caller with the read scope, only `id`, `updated_at` and what
 * the request sent.
 */
export class ResponseRedaction {
  readonly #reads: boolean;

  constructor(principal: Pick<Principal, 'scopes'>, { readScope }: { readonly readScope: string }) {
    this.#reads = holdsScopes(principal, [readScope]);
  }

  /** How the write ends, for the caller and for the key. */
  ending({ status, body, headers, sent, changed }: WriteResponse): StoredResponse {
    if (this.#reads) return storedResponseOf(new ApiResponse(status, body, headers), sent);
    if (changed) return storedResponseOf(new ApiResponse(status, body, headers), null);
    return storedResponseOf(new ApiResponse(status, redact(body, sent), withoutCounters(headers)), null);
  }

  /** The stored response for this caller. A part of a new object is not a 201. */
  replayed(ending: StoredResponse): StoredResponse {
    if (!('response' in ending) || ending.response.open === null || this.#reads) return ending;
    const { status, body, headers, open } = ending.response;
    if (!isObject(body)) return ending;
    return storedResponseOf(
      new ApiResponse(status === 201 ? 200 : status, redact(body, open), withoutCounters(headers)),
      null,
    );
  }

  /** The object as it would be. A new object has no id yet. */
  dryRun({ status, body, sent }: WriteResponse): ApiResponse {
    const shown = this.#reads ? body : redact(body, sent);
    const id = status === 201 ? { id: null } : {};
    return new ApiResponse(200, { dry_run: true, ...shown, ...id }, { 'dry-run': 'true' });
  }
}

/** An entity tag shows the counters of the object after its version. */
function withoutCounters({ etag, ...headers }: Readonly<Record<string, string>>): Record<string, string> {
  return etag === undefined ? headers : { ...headers, etag: etag.replace(/-[\d-]*"$/, '"') };
}
