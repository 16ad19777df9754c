import { Injectable } from '@nestjs/common';
import { say } from '@lyceum/messages';
import { MetricsRegistry } from '@lyceum/platform';
import { hash, verify } from '@node-rs/argon2';
import prom from 'prom-client';
import { isCommonPassword } from './common-passwords.js';
import { PASSWORD_LIMITS, passwordError } from './password.policy.js';
import type { PasswordOwner } from './password.policy.js';

/**
 * argon2id as in OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane (the library's defaults, written out).
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hash of random bytes. The password for an unknown account is compared with it, so that the response takes as long.
 */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$5UxhEdsEW25aAylPKQScbg$1jTMp5ovebeit7NfO8Y9CaCL4w4dHH/svrXFEOS5WNY';

/** A password as it is stored. Comparing and hashing take tens of milliseconds, so no transaction waits for them. */
export interface HashedPassword {
  readonly hash: string;
}

@Injectable()
export class Passwords {
  readonly #compared: prom.Counter<'account'>;

  constructor(metrics: MetricsRegistry) {
    this.#compared = new prom.Counter({
      name: 'auth_password_hashes_compared_total',
      help: 'Passwords that were hashed to compare them, by whether there was an account with one',
      labelNames: ['account'],
      registers: [metrics.registry],
    });
  }

  /** The error message for a new password; undefined when it is valid. */
  async check(password: string, owner: PasswordOwner): Promise<string | undefined> {
    const error = passwordError(password, owner);
    if (error !== undefined) return error;
    return (await isCommonPassword(password)) ? say('form.password_common') : undefined;
  }

  async hash(password: string): Promise<HashedPassword> {
    return { hash: await hash(password, COST) };
  }

  /** Takes the same time with and without a stored hash. */
  async matches(stored: string | null | undefined, password: string): Promise<boolean> {
    if (password.length > PASSWORD_LIMITS.max) return false;
    const matching = await verify(stored ?? DUMMY_HASH, password);
    this.#compared.inc({ account: stored === null || stored === undefined ? 'none' : 'known' });
    return matching && stored !== null && stored !== undefined;
  }
}
