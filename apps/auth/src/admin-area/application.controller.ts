import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import type { OAuthClient } from '#src/clients/client.js';
import { isSecretOverlap } from '#src/clients/secret-overlap.policy.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE, formChanges, isStaleForm } from '#src/pages/form-base.js';
import { randomToken } from '#src/secrets/digest.js';
import { APPLICATIONS } from './admin.page.js';
import { AdminActions } from './admin-actions.js';
import { AdminGuard } from './admin.guard.js';
import { ApplicationAccess } from './application-access.js';
import { applicationFields } from './application-fields.js';
import { applicationPath, kindOf } from './application-words.js';
import { editApplicationPage } from './application.form.js';
import { applicationPage, deleteApplicationPage, endSecretPage, rotateSecretPage } from './application.page.js';
import { applicationFaults } from './application.policy.js';
import type { ApplicationFields } from './application.policy.js';

const ONE = `${APPLICATIONS}/:client_id`;

/** One OAuth application: its page, its fields and its secret. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ApplicationController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly actions: AdminActions,
    private readonly access: ApplicationAccess,
    private readonly notices: Notices,
  ) {}

  @Get(ONE)
  show(@Param('client_id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      // A HEAD response has no body that could show a secret.
      if (request.method !== 'GET') return applicationPage(context, { client: await this.access.find(context, id) });
      return applicationPage(context, await this.access.findWithSecret(context, id));
    });
  }

  @Get(`${ONE}/edit`)
  edit(@Param('client_id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#page(request, reply, async (context) => [await this.access.find(context, id), editApplicationPage]);
  }

  @Get(`${ONE}/delete`)
  askDeletion(
    @Param('client_id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#page(request, reply, async (context) => [await this.access.find(context, id), deleteApplicationPage]);
  }

  @Get(`${ONE}/rotate`)
  askRotation(
    @Param('client_id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#page(request, reply, async (context) => [
      await this.access.findConfidential(context, id),
      rotateSecretPage,
    ]);
  }

  @Get(`${ONE}/end-secret`)
  askEnd(@Param('client_id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#page(request, reply, async (context) => {
      const client = await this.access.findConfidential(context, id);
      if (client.previous_secret_hash === null) throw new ApiError('not_found', 'One secret is valid');
      return [client, endSecretPage];
    });
  }

  @Post(`${APPLICATIONS}/change`)
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const given = applicationFields(form);
      const client = await this.access.find(context, single(form, 'application') ?? '');
      const faults = applicationFaults(given, kindOf(client));
      const base = single(form, FORM_BASE);
      if (Object.keys(faults).length > 0) return editApplicationPage(context, client, { given, faults, base });
      try {
        const change = (current: ApplicationFields): Partial<ApplicationFields> => formChanges(base, given, current);
        const { name } = await this.actions.change(context, client.client_id, change);
        this.notices.leave(reply, context, 'application_changed', name);
        return applicationPath(client.client_id);
      } catch (error) {
        if (!isStaleForm(error)) throw error;
        return editApplicationPage(context, await this.access.find(context, client.client_id), 'stale');
      }
    });
  }

  @Post(`${APPLICATIONS}/rotate`)
  rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { client_id, name } = await this.access.findConfidential(context, single(form, 'application') ?? '');
      const overlap = single(form, 'overlap');
      if (!isSecretOverlap(overlap)) throw new ApiError('not_found', 'The time does not exist');
      await this.actions.rotate(context, { client_id, overlap, form: single(form, 'form') ?? randomToken() });
      this.notices.leave(reply, context, 'secret_rotated', name);
      return applicationPath(client_id);
    });
  }

  /** Idempotent: a second click shows the page, too. */
  @Post(`${APPLICATIONS}/end-secret`)
  endSecret(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { client_id, name } = await this.access.findConfidential(context, single(form, 'application') ?? '');
      await this.actions.endPreviousSecret(context, client_id);
      this.notices.leave(reply, context, 'old_secret_ended', name);
      return applicationPath(client_id);
    });
  }

  #page(
    request: FastifyRequest,
    reply: FastifyReply,
    find: (context: AccountContext) => Promise<[OAuthClient, (context: AccountContext, client: OAuthClient) => Page]>,
  ): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const [client, page] = await find(context);
      return page(context, client);
    });
  }
}
