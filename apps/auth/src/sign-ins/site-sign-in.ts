import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sourceOf } from '@lyceum/rate-limit';
import { AuditService } from '#src/audit/audit.service.js';
import { MembersService } from '#src/members/members.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { KnownDevices } from './known-devices.js';
import { rememberPasskey } from './passkey-use.js';

/** The browser and the site of a sign-in. */
export interface SignInContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: SiteRecord;
}

export interface Proof {
  readonly method: 'password' | 'passkey' | 'link';
  readonly passkey_id?: string;
}

/** Signs an authenticated person in as a member of the site. */
@Injectable()
export class SiteSignIn {
  constructor(
    private readonly members: MembersService,
    private readonly devices: KnownDevices,
    private readonly audit: AuditService,
  ) {}

  /** False for a person who may not use the site. */
  async enter(at: SignInContext, { person_id }: Authenticated, email: string, proof: Proof): Promise<boolean> {
    const { request, reply, site } = at;
    const { site_id } = site;
    if (!(await this.members.enter(site_id, person_id))) {
      await this.refuse(at, email, proof.method);
      return false;
    }
    this.devices.remember(request, reply, site, email);
    rememberPasskey(request, reply, site, proof.method === 'passkey');
    const details = { ...proof, source: sourceOf(request.ip) };
    await this.audit.record({ event: 'sign_in.succeeded', site_id, person_id, details });
    return true;
  }

  /** The site's log names members of the site only. */
  async refuse({ request, site }: Omit<SignInContext, 'reply'>, email: string, method: Proof['method']): Promise<void> {
    const details = { source: sourceOf(request.ip), method };
    await this.audit.recordFailedSignIn(site.site_id, canonicalEmail(email) ?? '', details);
  }
}
