import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { AuthenticationResponse, RegistrationResponse } from './credential.schema.js';
import { ALGORITHMS, PASSKEY_LIMITS } from './passkey.policy.js';
import type { NewPasskey, Passkey, StoredPasskey } from './passkey.js';

const TIMEOUT_MS = LIFETIMES.passkeyChallenge * 1000;

/** Loaded with the first passkey, because no other request needs the parsers of certificates. */
const library = () => import('@simplewebauthn/server');

/** The relying party of the requesting page. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

export interface NewUser {
  readonly handle: Buffer;
  readonly email: string;
  readonly name: string;
  readonly passkeys: readonly Passkey[];
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'));

/**
 * PublicKeyCredentialCreationOptionsJSON: a discoverable credential with a user handle, except on authenticators that
 * have one.
 */
export async function creationOptions(rp: RelyingParty, user: NewUser, challenge: string): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpID: rp.id,
    rpName: rp.name,
    userID: Uint8Array.from(user.handle),
    userName: user.email,
    userDisplayName: user.name,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: [...ALGORITHMS],
    excludeCredentials: user.passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports: [...transports],
    })),
  });
}

/** PublicKeyCredentialRequestOptionsJSON: any discoverable credential of the site, so that no account is revealed. */
export async function requestOptions(rp: RelyingParty, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rp.id,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
}

/**
 * No attestation was requested, and unrequested certificates are not read; the library would fetch the revocation lists
 * that they name.
 */
async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(bytesOf(attestationObject));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** The library throws for every invalid response. */
async function verified<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** §7.1. Undefined when a check fails. */
export function verifiedRegistration(
  rp: RelyingParty,
  received: RegistrationResponse,
  challenge: string,
): Promise<NewPasskey | undefined> {
  return verified(async () => {
    if (!(await isWithoutCertificate(received.response.attestationObject))) return undefined;
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...received, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (registrationInfo === undefined) return undefined;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    const credential_id = Buffer.from(credential.id, 'base64url');
    if (credential_id.length > PASSKEY_LIMITS.credentialIdBytes || credential.id !== received.id) return undefined;
    return {
      credential_id,
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      backup_eligible: credentialDeviceType === 'multiDevice',
      backed_up: credentialBackedUp,
      transports: received.response.transports,
    };
  });
}

/** §7.2 but for the counter, which is compared where it is set. Undefined when a check fails. */
export function verifiedAssertion(
  rp: RelyingParty,
  received: AuthenticationResponse,
  challenge: string,
  stored: StoredPasskey,
): Promise<{ sign_count: number; backed_up: boolean } | undefined> {
  return verified(async () => {
    const { verifyAuthenticationResponse } = await library();
    const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...received, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      credential: { id: received.id, publicKey: Uint8Array.from(stored.public_key), counter: 0 },
    });
    const { credentialDeviceType, credentialBackedUp, newCounter } = authenticationInfo;
    if (!isRight || (credentialDeviceType === 'multiDevice') !== stored.backup_eligible) return undefined;
    return { sign_count: newCounter, backed_up: credentialBackedUp };
  });
}
