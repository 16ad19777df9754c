import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { staleFormPage } from '#src/accounts/account.page.js';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { Visitor } from '#src/accounts/account-session.guard.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { sendPage } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { adminNotFoundPage } from './admin.page.js';

/** An address to go on to, or a page. */
export type Shown = Page | string;

function isOperator({ person }: Visitor): boolean {
  return person.roles.includes('owner') || person.roles.includes('admin');
}

function answer(reply: FastifyReply, shown: Shown): void {
  if (typeof shown === 'string') void reply.header('cache-control', 'no-store').redirect(shown, 303);
  else sendPage(reply, shown);
}

/** The door of the admin area. For everybody but owners and admins of the site it is a wall without one. */
@Injectable()
export class AdminGuard {
  constructor(private readonly visitors: AccountSessionGuard) {}

  async see(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visitor: Visitor) => Shown | Promise<Shown>,
  ): Promise<void> {
    const visitor = await this.visitors.of(request, reply);
    const path = request.url.split('?', 1)[0] ?? '';
    if (visitor === undefined) return answer(reply, `/account/sign-in?next=${encodeURIComponent(path)}`);
    answer(
      reply,
      isOperator(visitor) ? await this.#found(visitor, () => work(visitor)) : adminNotFoundPage(visitor.site),
    );
  }

  async act(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visitor: Visitor, form: URLSearchParams) => Promise<Shown>,
  ): Promise<void> {
    const form = await readForm(request);
    const visitor = await this.visitors.sending(request, reply, single(form, 'csrf'));
    if (visitor === undefined) return answer(reply, staleFormPage(siteOf(request)));
    answer(
      reply,
      isOperator(visitor) ? await this.#found(visitor, () => work(visitor, form)) : adminNotFoundPage(visitor.site),
    );
  }

  async #found(visitor: Visitor, work: () => Shown | Promise<Shown>): Promise<Shown> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return adminNotFoundPage(visitor.site);
      throw error;
    }
  }
}
