import { createHash, createPrivateKey, sign } from 'node:crypto';
import { REQUEST_HEADERS, type Principal } from '@lyceum/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

export interface GatewayCall {
  readonly subject: string;
  readonly body: string;
  readonly site_id: string;
  /** Null for an anonymous caller; any object, to test its refusal. */
  readonly principal: Principal | object | null;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
  readonly idempotencyKey?: string;
}

/**
 * Headers of a call with the gateway's signature, implemented independently of libs/messaging so that tests compare
 * both. `key` is the gateway's `CALL_SIGNING_KEY`.
 */
export function signedCall({ subject, body, site_id, principal, ...more }: GatewayCall, key: string): MsgHdrs {
  const fields = [
    [REQUEST_HEADERS.site, site_id],
    [REQUEST_HEADERS.deadline, String(more.deadline ?? Date.now() + 5_000)],
    [REQUEST_HEADERS.principal, principal === null ? '' : JSON.stringify(principal)],
    [REQUEST_HEADERS.idempotencyKey, more.idempotencyKey ?? ''],
  ] as const;
  const digest = createHash('sha256').update(body).digest('base64url');
  const text = JSON.stringify(['lyceum-call-1', subject, ...fields.map(([, value]) => value), digest]);
  const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  const written = headers();
  for (const [name, value] of fields) if (value !== '') written.set(name, value);
  written.set(REQUEST_HEADERS.signature, sign(null, Buffer.from(text), privateKey).toString('base64url'));
  return written;
}
