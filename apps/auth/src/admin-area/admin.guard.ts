import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { staleFormPage } from '#src/accounts/account.page.js';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { signInBefore } from '#src/accounts/sign-in-target.policy.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { readAnyForm } from '#src/edge/upload.js';
import type { Upload } from '#src/edge/upload.js';
import { noRolePage, notFoundPage } from '#src/edge/not-found.page.js';
import { sendPage } from '#src/pages/page.js';
import type { Download } from '#src/pages/page.js';

/** A redirect path, a page, or a file. */
export type Shown = Page | Download | string;

function isOperator({ person }: AccountContext): boolean {
  return person.roles.includes('owner') || person.roles.includes('admin');
}

const refusal = ({ site, person }: AccountContext): Page => noRolePage(site, person.email);

function send(reply: FastifyReply, shown: Shown): void {
  if (typeof shown === 'string') void reply.header('cache-control', 'no-store').redirect(shown, 303);
  else sendPage(reply, shown);
}

/** Guards the admin area. Anyone but the site's owners and admins gets 404 and reads whom to ask. */
@Injectable()
export class AdminGuard {
  constructor(private readonly guard: AccountSessionGuard) {}

  async show(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (context: AccountContext) => Shown | Promise<Shown>,
  ): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return send(reply, signInBefore(request.url));
    send(reply, isOperator(context) ? await this.#found(context, () => work(context)) : refusal(context));
  }

  async submit(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (context: AccountContext, form: URLSearchParams) => Promise<Shown>,
  ): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return send(reply, staleFormPage(siteOf(request)));
    send(reply, isOperator(context) ? await this.#found(context, () => work(context, form)) : refusal(context));
  }

  /** For a form that may have files. `form` is undefined above `limit` bytes. Other people send no large body. */
  async submitFiles(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: number,
    work: (context: AccountContext, form: Upload | undefined) => Promise<Shown>,
  ): Promise<void> {
    const visitor = await this.guard.authenticate(request, reply);
    if (visitor === undefined) return send(reply, staleFormPage(siteOf(request)));
    if (!isOperator(visitor)) return send(reply, refusal(visitor));
    const form = await readAnyForm(request, limit);
    if (form === undefined) return send(reply, await this.#found(visitor, () => work(visitor, undefined)));
    const context = await this.guard.authenticateForm(request, reply, form.text('csrf'));
    if (context === undefined) return send(reply, staleFormPage(siteOf(request)));
    send(reply, await this.#found(context, () => work(context, form)));
  }

  async #found(context: AccountContext, work: () => Shown | Promise<Shown>): Promise<Shown> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return notFoundPage(context.site);
      throw error;
    }
  }
}
