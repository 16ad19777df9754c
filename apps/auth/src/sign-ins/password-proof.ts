import { say } from '@lyceum/messages';
import { Injectable } from '@nestjs/common';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { SignInService } from './sign-in.service.js';
import type { PasswordOutcome } from './sign-in.service.js';
import type { SignInContext } from './site-sign-in.js';

/** The reason why a signed-in person has not proved the password, for the field `current` of a form. */
export interface PasswordProofError {
  readonly status: 422 | 429;
  readonly field: 'current';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The error for an outcome of `SignInService.prove`. */
export function proofError(outcome: Exclude<PasswordOutcome, { kind: 'signed_in' }>): PasswordProofError {
  if (outcome.kind === 'refused') {
    return { status: 422, field: 'current', message: say('form.wrong_password') };
  }
  const { retryAfter } = outcome;
  const message = say('form.too_many_attempts', { seconds: retryAfter });
  return { status: 429, field: 'current', message, retryAfter };
}

/** Asks for the password again before a change that a person at a left browser must not make. */
@Injectable()
export class PasswordProof {
  constructor(
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
  ) {}

  /** Undefined when `current` is the password. A wrong one counts as a failed sign-in. */
  async error(
    at: Omit<SignInContext, 'reply'>,
    { email }: PersonAtSite,
    current: string,
  ): Promise<PasswordProofError | undefined> {
    const check = (account: string) => this.people.authenticate(account, current);
    const outcome = await this.signIns.prove(at, email, check);
    return outcome.kind === 'signed_in' ? undefined : proofError(outcome);
  }
}
