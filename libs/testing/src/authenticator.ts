import { X509Certificate, generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { selfSigned } from './certificate.js';

/** The options of a page for the browser, as far as an authenticator reads them. */
export interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** Deviations from an honest browser and authenticator. */
export interface Tampering {
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  readonly count?: number;
  /** Flags to set and to clear. */
  readonly flags?: { readonly set?: number; readonly unset?: number };
  readonly userHandle?: string | null;
  readonly id?: string;
  readonly tampered?: boolean;
  readonly attestation?: 'self' | 'certificate';
}

export const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 } as const;

type Cbor = number | string | Uint8Array | Map<number | string, Cbor> | readonly Cbor[];

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

/** RFC 8949, as far as attestation objects need it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
  }
  return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
}

const part = (jwk: Record<string, unknown>, name: string): Buffer => Buffer.from(String(jwk[name]), 'base64url');

const KINDS = {
  ES256: {
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: (jwk: Record<string, unknown>): [number, Cbor][] => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part(jwk, 'x')],
      [-3, part(jwk, 'y')],
    ],
    digest: 'sha256',
  },
  EdDSA: {
    pair: () => generateKeyPairSync('ed25519'),
    cose: (jwk: Record<string, unknown>): [number, Cbor][] => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part(jwk, 'x')],
    ],
    digest: null,
  },
  RS256: {
    pair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    cose: (jwk: Record<string, unknown>): [number, Cbor][] => [
      [1, 3],
      [3, -257],
      [-1, part(jwk, 'n')],
      [-2, part(jwk, 'e')],
    ],
    digest: 'sha256',
  },
  /** An algorithm that sites do not accept. */
  ES384: {
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    cose: (jwk: Record<string, unknown>): [number, Cbor][] => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, part(jwk, 'x')],
      [-3, part(jwk, 'y')],
    ],
    digest: 'sha384',
  },
} as const;

/** Attestation statement formats (§8). */
const FORMATS = { none: 'none', self: 'packed', certificate: 'fido-u2f' } as const;

type KeyKind = keyof typeof KINDS;

interface AuthenticatorOptions {
  readonly kind?: KeyKind;
  readonly idBytes?: number;
  /** Null for none. */
  readonly count?: number | null;
}

/** One browser and one discoverable credential in software. Its responses follow WebAuthn (§6, §7). */
export class Authenticator {
  readonly id: string;
  readonly #kind: KeyKind;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  #count: number | null;
  #userHandle = '';

  constructor(
    private readonly origin: string,
    { kind = 'ES256', idBytes = 32, count = 0 }: AuthenticatorOptions = {},
  ) {
    const { publicKey, privateKey } = KINDS[kind].pair();
    this.id = randomBytes(idBytes).toString('base64url');
    this.#kind = kind;
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
    this.#count = count;
  }

  /** RegistrationResponseJSON, as text. */
  create(options: CeremonyOptions, tampering: Tampering = {}): string {
    this.#userHandle = options.user?.id ?? '';
    const clientDataJSON = this.#clientData('webauthn.create', options, tampering);
    const authData = this.#authenticatorData(options.rp?.id ?? '', tampering, true);
    const attestation = new Map<string, Cbor>([
      ['fmt', FORMATS[tampering.attestation ?? 'none']],
      ['attStmt', this.#statement(authData, hash('sha256', clientDataJSON, 'buffer'), tampering)],
      ['authData', authData],
    ]);
    return JSON.stringify({
      ...this.#credential(tampering),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal', 'a-new-one'],
      },
    });
  }

  /** AuthenticationResponseJSON, as text. */
  get(options: CeremonyOptions, tampering: Tampering = {}): string {
    const clientDataJSON = this.#clientData('webauthn.get', options, tampering);
    const authenticatorData = this.#authenticatorData(options.rpId ?? '', tampering, false);
    const signature = this.#sign(Buffer.concat([authenticatorData, hash('sha256', clientDataJSON, 'buffer')]));
    if (tampering.tampered === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const userHandle = tampering.userHandle === undefined ? this.#userHandle : tampering.userHandle;
    return JSON.stringify({
      ...this.#credential(tampering),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle === null ? {} : { userHandle }),
      },
    });
  }

  #credential({ id = this.id }: Tampering) {
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} };
  }

  #clientData(type: string, options: CeremonyOptions, tampering: Tampering): Buffer {
    const { challenge } = options;
    const { origin } = this;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...tampering.clientData }));
  }

  #authenticatorData(rpId: string, { flags = {}, ...tampering }: Tampering, attested: boolean): Buffer {
    if (this.#count !== null) this.#count += 1;
    const usual = FLAGS.present | FLAGS.verified | (attested ? FLAGS.attested : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(tampering.count ?? this.#count ?? 0);
    return Buffer.concat([
      hash('sha256', tampering.rpId ?? rpId, 'buffer'),
      Buffer.from([(usual | (flags.set ?? 0)) & ~(flags.unset ?? 0)]),
      count,
      ...(attested ? [this.#attested()] : []),
    ]);
  }

  #attested(): Buffer {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const jwk: Record<string, unknown> = { ...this.#publicKey.export({ format: 'jwk' }) };
    return Buffer.concat([Buffer.alloc(16), length, id, cbor(new Map(KINDS[this.#kind].cose(jwk)))]);
  }

  #statement(authData: Buffer, clientDataHash: Buffer, { attestation }: Tampering): Cbor {
    if (attestation === undefined) return new Map();
    if (attestation === 'self') {
      return new Map<string, Cbor>([
        ['alg', -7],
        ['sig', this.#sign(Buffer.concat([authData, clientDataHash]))],
      ]);
    }
    const jwk: Record<string, unknown> = { ...this.#publicKey.export({ format: 'jwk' }) };
    const point = Buffer.concat([Buffer.from([4]), part(jwk, 'x'), part(jwk, 'y')]);
    const id = Buffer.from(this.id, 'base64url');
    const { key, cert } = selfSigned(['authenticator.example']);
    const signed = Buffer.concat([Buffer.from([0]), authData.subarray(0, 32), clientDataHash, id, point]);
    return new Map<string, Cbor>([
      ['sig', sign('sha256', signed, key)],
      ['x5c', [new X509Certificate(cert).raw]],
    ]);
  }

  #sign(data: Buffer): Buffer {
    return sign(KINDS[this.#kind].digest, data, this.#privateKey);
  }
}
