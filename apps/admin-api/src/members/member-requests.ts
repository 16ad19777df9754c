import { createHash, randomUUID } from 'node:crypto';
import type { ChangeRequest } from '@lyceum/collections';
import type { ChangedMembership, MEMBER_REQUESTS } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { currentActor } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

type Definition = (typeof MEMBER_REQUESTS)[number];
/** Members of a request that `MemberRequests` sets. */
type Common = 'request_id' | 'dry_run' | 'actor';
type Source = Pick<ChangeRequest, 'principal' | 'write'>;

/** Sends requests that change memberships to identity, which owns them. */
@Injectable()
export class MemberRequests {
  constructor(private readonly requests: Requests) {}

  send<D extends Definition>(
    definition: D,
    { principal, write }: Source,
    input: Omit<z.input<D['input']>, Common>,
  ): Promise<ChangedMembership> {
    const { site_id, member_id, client_id } = principal;
    const actor = { member_id, client_id, via: currentActor()?.via === 'tool' ? 'tool' : 'rest' } as const;
    const body = { ...input, request_id: requestId({ principal, write }), dry_run: write.dryRun, actor };
    const request = body as object as z.input<Definition['input']>;
    return this.requests.request<Definition>(definition, request, { site_id });
  }
}

/**
 * Returns the id of a request. With an idempotency key, all repetitions have the same id, so identity does not change
 * the member twice after a lost response.
 */
function requestId({ principal, write }: Source): string {
  if (write.key === null) return randomUUID();
  const { site_id, client_id, person_id } = principal;
  const parts = [site_id, client_id, person_id, write.operation, write.key, write.requestHash.toString('hex')];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  // UUID version 8 (RFC 9562 §5.8), which is for values of an application.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
