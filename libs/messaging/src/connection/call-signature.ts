import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { REQUEST_HEADERS } from '@lyceum/contracts';
import { integer } from '@lyceum/platform';
import type { MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import { LIMITS } from './limits.js';

const KEY_FORM = (what: string): string =>
  `must be base64 of an Ed25519 ${what} key in DER (${what === 'private' ? 'PKCS #8' : 'SPKI'})`;

function readKey(text: string, what: 'private' | 'public'): KeyObject | undefined {
  try {
    const key = Buffer.from(text, 'base64');
    const read =
      what === 'private'
        ? createPrivateKey({ key, format: 'der', type: 'pkcs8' })
        : createPublicKey({ key, format: 'der', type: 'spki' });
    return read.asymmetricKeyType === 'ed25519' ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Environment of the service that sends tool calls. */
export const callSigningEnvironment = {
  /** Time limit of the service that owns a tool. */
  CALL_TIMEOUT_MS: integer(100, LIMITS.callTimeoutMax).default(10_000),
  CALL_SIGNING_KEY: z.string().transform((text, context): KeyObject => {
    const key = readKey(text, 'private');
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: KEY_FORM('private') });
    return z.NEVER;
  }),
};

/** Environment of the services that own tools: the trusted public keys. Two keys are accepted during a rotation. */
export const callTrustEnvironment = {
  CALL_PUBLIC_KEYS: z.string().transform((text, context): readonly KeyObject[] => {
    const keys = text.split(',').map((part) => readKey(part.trim(), 'public'));
    const known = keys.filter((key) => key !== undefined);
    if (known.length === keys.length && known.length <= LIMITS.trustedKeys) return known;
    context.addIssue({ code: 'custom', message: `${KEY_FORM('public')}, or two of them divided by a comma` });
    return z.NEVER;
  }),
};

/**
 * Signs principal, site, subject, arguments, idempotency key and deadline. A signature is valid for this call alone.
 */
export function signCall(key: KeyObject, subject: string, written: MsgHdrs, body: string): void {
  const signature = sign(null, signedText(subject, written, Buffer.from(body)), key);
  written.set(REQUEST_HEADERS.signature, signature.toString('base64url'));
}

/** Returns true when a trusted key signed exactly this call and its deadline is near. */
export function isSigned(
  keys: readonly KeyObject[],
  subject: string,
  read: MsgHdrs | undefined,
  body: Uint8Array,
): boolean {
  const signature = read?.get(REQUEST_HEADERS.signature);
  if (read === undefined || signature === undefined || signature === '') return false;
  const left = Number(read.get(REQUEST_HEADERS.deadline)) - Date.now();
  // A deadline in the past is rejected later, with its own error.
  if (!(left <= LIMITS.signedCallAge)) return false;
  const text = signedText(subject, read, body);
  return keys.some((key) => verify(null, text, key, Buffer.from(signature, 'base64url')));
}

const SIGNED = [
  REQUEST_HEADERS.site,
  REQUEST_HEADERS.deadline,
  REQUEST_HEADERS.principal,
  REQUEST_HEADERS.idempotencyKey,
] as const;

function signedText(subject: string, given: MsgHdrs, body: Uint8Array): Buffer {
  const digest = createHash('sha256').update(body).digest('base64url');
  return Buffer.from(JSON.stringify(['lyceum-call-1', subject, ...SIGNED.map((name) => given.get(name)), digest]));
}
