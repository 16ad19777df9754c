import { decrypt, encrypt } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { AuthSettings } from '#src/auth.environment.js';
import { JwtSigner } from './jwt-signer.js';
import { kidOf, verifiedClaims } from './jwt-verifier.js';
import { inSigningOrder, isRotationDue, rotationTimes, signs } from './rotation.policy.js';
import { generateSigningKey, privateJwkSchema, toPublic } from './signing-key.js';
import type { PrivateJwk, PublicJwk } from './signing-key.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import type { StoredKey } from './signing-keys.repository.js';

const RELOAD_MS = 60_000;

export interface KeySet {
  /** Changes whenever the keys or the signing key change. */
  readonly revision: string;
  readonly publicKeys: readonly PublicJwk[];
  /** The signing key comes first. */
  readonly privateKeys: readonly PrivateJwk[];
  /** False while all keys are published ahead of their time: then no id_token is issued. */
  readonly signing: boolean;
  /** Undefined while `signs` is false. */
  readonly signer: JwtSigner | undefined;
}

/** The signing keys of the deployment, reloaded every minute: a rotation needs no restart. */
@Injectable()
export class KeyRing implements OnApplicationShutdown {
  readonly #logger = new Logger(KeyRing.name);
  #loaded: Promise<KeySet> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly settings: AuthSettings,
    private readonly audit: AuditService,
  ) {}

  /** The current keys. The first start of a deployment creates one, which signs at once. */
  current(): Promise<KeySet> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  /**
   * The claims of an id_token of this deployment, also an expired one, and one by a key that has left the JWKS:
   * applications keep id_tokens for as long as a session. Undefined for other texts.
   */
  async claimsOf(token: string): Promise<Record<string, unknown> | undefined> {
    const kid = kidOf(token);
    if (kid === undefined) return undefined;
    const { publicKeys } = await this.current();
    const key = publicKeys.find((one) => one.kid === kid) ?? (await this.keys.publicKey(kid));
    return key && verifiedClaims([key], token);
  }

  /** Creates the next key: published now, signing after the overlap. The very first key signs at once. */
  async rotate(): Promise<string> {
    const kid = await this.keys.exclusively((manager, present) => this.#next(manager, present, new Date()));
    if (this.#loaded !== undefined) await this.reload();
    return kid;
  }

  /** Encrypts the private keys under the first encryption key, so that the others can be removed; their number. */
  reEncrypt(): Promise<number> {
    const keys = this.settings.values.KEY_ENCRYPTION_KEY;
    return this.keys.exclusively(async (manager, present) => {
      for (const { kid, private_jwk } of present) {
        const again = encrypt(keys, kid, decrypt(keys, kid, private_jwk));
        await this.keys.replacePrivate(manager, { kid, private_jwk: again });
      }
      return present.length;
    });
  }

  /** Rotates on schedule. One replica creates the key, and the others find it. */
  async rotateWhenDue(): Promise<string | undefined> {
    const now = new Date();
    const { KEY_ROTATION_DAYS: days } = this.settings.values;
    if (!isRotationDue(await this.keys.published(), now, days)) return undefined;
    const kid = await this.keys.exclusively(async (manager, present) =>
      isRotationDue(present, now, days) ? this.#next(manager, present, now) : undefined,
    );
    if (this.#loaded !== undefined) await this.reload();
    return kid;
  }

  /** Loads keys of other replicas and of the command, and updates their states. */
  async reload(): Promise<void> {
    try {
      this.#loaded = Promise.resolve(this.#open(await this.#read()));
    } catch (error) {
      this.#logger.warn(`failed to reload the signing keys: ${String(error)}`);
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #start(): Promise<KeySet> {
    try {
      const set = this.#open(await this.#read());
      this.#timer ??= setInterval(() => void this.reload(), RELOAD_MS).unref();
      return set;
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
  }

  /** The published keys; creates the first one if none exists. */
  async #read(): Promise<StoredKey[]> {
    const found = await this.keys.published();
    if (found.length > 0) return found;
    await this.keys.exclusively(async (manager, present) => {
      if (present.length === 0) await this.#make(manager, new Date());
    });
    return this.keys.published();
  }

  async #next(manager: EntityManager, present: readonly StoredKey[], now: Date): Promise<string> {
    // Throws under another encryption key: other replicas could not decrypt a key that it encrypts.
    this.#open(present);
    if (present.length === 0) return this.#make(manager, now);
    const { signs_from, published_until } = rotationTimes(now);
    const kid = await this.#make(manager, signs_from);
    await this.keys.retireOthers(manager, kid, signs_from, published_until);
    await this.audit.record({ event: 'key.rotated', details: { kid, signs_from } }, manager);
    return kid;
  }

  async #make(manager: EntityManager, signs_from: Date): Promise<string> {
    const jwk = await generateSigningKey();
    const private_jwk = encrypt(this.settings.values.KEY_ENCRYPTION_KEY, jwk.kid, JSON.stringify(jwk));
    await this.keys.insert(manager, { kid: jwk.kid, public_jwk: toPublic(jwk), private_jwk, signs_from });
    return jwk.kid;
  }

  #open(stored: readonly StoredKey[]): KeySet {
    const now = new Date();
    const ordered = inSigningOrder(stored, now);
    const privateKeys = ordered.map((key) => {
      const text = decrypt(this.settings.values.KEY_ENCRYPTION_KEY, key.kid, key.private_jwk);
      return privateJwkSchema.parse(JSON.parse(text));
    });
    const signing = ordered.some((key) => signs(key, now));
    const revision = `${signing ? 'signing' : 'published'}:${ordered.map(({ kid }) => kid).join()}`;
    const [first] = privateKeys;
    const signer = signing && first !== undefined ? new JwtSigner(first) : undefined;
    return { revision, publicKeys: privateKeys.map(toPublic), privateKeys, signing, signer };
  }
}
