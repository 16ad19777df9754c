import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { PrivateJwk } from './signing-key.js';

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signs JWTs with ES256 (RFC 7518 §3.4), in compact serialization (RFC 7515 §3.1). */
export class JwtSigner {
  readonly #key: KeyObject;
  readonly #header: string;

  constructor(jwk: PrivateJwk) {
    this.#key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
    this.#header = encode({ alg: jwk.alg, kid: jwk.kid });
  }

  sign(claims: object): string {
    const signed = `${this.#header}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }
}
