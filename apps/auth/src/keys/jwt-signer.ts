import { SignJWT, importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import type { PrivateJwk } from './signing-key.js';

/** Signs JWTs with ES256 (RFC 7518 §3.4). */
export class JwtSigner {
  #key: Promise<CryptoKey | Uint8Array> | undefined;

  constructor(private readonly jwk: PrivateJwk) {}

  async sign(claims: object): Promise<string> {
    const { alg, kid } = this.jwk;
    this.#key ??= importJWK({ ...this.jwk }, alg);
    return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(await this.#key);
  }
}
