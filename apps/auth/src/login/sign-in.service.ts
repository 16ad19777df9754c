import { Injectable } from '@nestjs/common';
import { AuditService } from '#src/audit/audit.service.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { sourceOf } from '#src/limits/source.policy.js';
import { sha256 } from '#src/tokens/digest.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SLOW_DOWN } from './slow-down.policy.js';

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly person_id: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'slowed_down'; readonly retryAfter: number };

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly ip: string;
  readonly site_id: string;
}

/** Password sign-in, slowed down per account and source. Accounts that do not exist are counted as well. */
@Injectable()
export class SignInService {
  constructor(
    private readonly people: PeopleService,
    private readonly attempts: SignInAttemptsRepository,
    private readonly audit: AuditService,
  ) {}

  async attempt({ email, password, ip, site_id }: SignInAttempt): Promise<SignInOutcome> {
    const account = canonicalEmail(email) ?? '';
    const key = sha256(`${account}\n${sourceOf(ip)}`);
    if (!(await this.attempts.begin(key, SLOW_DOWN))) {
      await this.audit.record({ event: 'sign_in.slowed_down', site_id, details: { source: sourceOf(ip) } });
      return { kind: 'slowed_down', retryAfter: await this.attempts.secondsToWait(key) };
    }
    const person_id = await this.people.authenticate(account, password);
    if (person_id === undefined) {
      await this.audit.record({ event: 'sign_in.failed', site_id, details: { source: sourceOf(ip) } });
      return { kind: 'refused' };
    }
    await this.attempts.forget(key);
    await this.audit.record({ event: 'sign_in.succeeded', site_id, person_id });
    return { kind: 'signed_in', person_id };
  }
}
