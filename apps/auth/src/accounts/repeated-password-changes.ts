import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { PeopleService } from '#src/people/people.service.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { sessionPurpose } from './account-session.guard.js';
import { ABANDONED, PasswordChangesRepository } from './password-changes.repository.js';

/** Milliseconds. */
const INTERVAL = 25;

/** The response to a change. */
interface Response {
  readonly email: string;
  /** `Set-Cookie` lines: the response of the first request may have reached no browser. */
  readonly cookies: readonly string[];
}

const context = (siteId: string): string => `password-change:${siteId}`;

/**
 * A double click sends a new password twice. The first one changes it, which ends the session of the form. The second
 * one waits for it and gets the same session.
 */
@Injectable()
export class RepeatedPasswordChanges {
  constructor(
    private readonly changes: PasswordChangesRepository,
    private readonly settings: AuthSettings,
    private readonly csrfTokens: CsrfTokens,
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
  ) {}

  /**
   * True for the first submission of a form, and for one whose predecessor was refused. Another one waits for its
   * predecessor.
   */
  async begin({ site_id }: SiteRecord, sessionUid: string, csrf: string): Promise<boolean> {
    for (;;) {
      if (await this.changes.begin(site_id, csrf, sessionUid)) return true;
      const found = await this.changes.find(site_id, csrf);
      if (found !== undefined && found.sealed_response !== null) return false;
      await sleep(INTERVAL);
    }
  }

  release({ site_id }: SiteRecord, csrf: string): Promise<void> {
    return this.changes.release(site_id, csrf);
  }

  async keep({ site_id }: SiteRecord, csrf: string, response: Response): Promise<void> {
    const sealed = encrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(site_id), JSON.stringify(response));
    await this.changes.save(site_id, csrf, sealed);
  }

  /**
   * The cookies of the response to the first submission. Undefined for any other form, and without the new password.
   * The session of the form, which was its proof, has ended.
   */
  async cookies(
    request: FastifyRequest,
    site: SiteRecord,
    csrf: string,
    password: string,
  ): Promise<readonly string[] | undefined> {
    const response = await this.#response(request, site, csrf);
    if (response === undefined) return undefined;
    const check = (account: string) => this.people.authenticate(account, password);
    const outcome = await this.signIns.prove({ request, site }, response.email, check);
    return outcome.kind === 'signed_in' ? response.cookies : undefined;
  }

  async #response(request: FastifyRequest, site: SiteRecord, csrf: string): Promise<Response | undefined> {
    const deadline = performance.now() + ABANDONED * 1000;
    for (;;) {
      const found = await this.changes.find(site.site_id, csrf);
      if (found === undefined || performance.now() > deadline) return undefined;
      if (!this.csrfTokens.verify(site, request, sessionPurpose(found.session_uid), csrf)) return undefined;
      if (found.sealed_response !== null) {
        const text = decrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(site.site_id), found.sealed_response);
        return JSON.parse(text) as Response;
      }
      await sleep(INTERVAL);
    }
  }
}
