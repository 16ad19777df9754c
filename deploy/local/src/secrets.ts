import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Secrets of one data directory: made at the first use, kept in one file that only its owner can read, so that a
 * restart finds the same passwords and keys.
 */
export class Secrets {
  private readonly values: Record<string, string>;

  constructor(private readonly file: string) {
    this.values = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  }

  /** URL-safe, 256 bits. */
  password(name: string): string {
    return (this.values[name] ??= this.keep(name, randomBytes(32).toString('base64url')));
  }

  /** 32 bytes in base64: a key. */
  key(name: string): string {
    return (this.values[name] ??= this.keep(name, randomBytes(32).toString('base64')));
  }

  /** An Ed25519 key pair, DER in base64: PKCS #8 and SPKI. Only the private key is kept. */
  keyPair(name: string): { readonly privateKey: string; readonly publicKey: string } {
    const made = (): string =>
      generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const privateKey = (this.values[name] ??= this.keep(name, made()));
    const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
    return { privateKey, publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64') };
  }

  private keep(name: string, value: string): string {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    writeFileSync(`${this.file}.new`, JSON.stringify({ ...this.values, [name]: value }, null, 2), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
    return value;
  }
}
