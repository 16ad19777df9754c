import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import type { AccountContext, PageWork } from '#src/accounts/account-session.guard.js';
import { readAnyForm } from '#src/edge/upload.js';
import type { Upload } from '#src/edge/upload.js';
import { noRolePage, notFoundPage } from '#src/edge/not-found.page.js';

function isOperator({ person }: AccountContext): boolean {
  return person.roles.includes('owner') || person.roles.includes('admin');
}

function onlyForOperators<Sent extends unknown[]>(work: PageWork<Sent>): PageWork<Sent> {
  return async (context, ...sent) => {
    const { site, person } = context;
    if (!isOperator(context)) return noRolePage(site, person.email);
    try {
      return await work(context, ...sent);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return notFoundPage(site);
      throw error;
    }
  };
}

/** Guards the admin area. Anyone but the site's owners and admins gets 404 and reads whom to ask. */
@Injectable()
export class AdminGuard {
  constructor(private readonly guard: AccountSessionGuard) {}

  show(request: FastifyRequest, reply: FastifyReply, work: PageWork): Promise<void> {
    return this.guard.show(request, reply, onlyForOperators(work));
  }

  submit(request: FastifyRequest, reply: FastifyReply, work: PageWork<[URLSearchParams]>): Promise<void> {
    return this.guard.submit(request, reply, onlyForOperators(work));
  }

  /** For a form that may have files. `form` is undefined above `limit` bytes. Other people send no large body. */
  submitFiles(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: number,
    work: PageWork<[Upload | undefined]>,
  ): Promise<void> {
    const read = async (visitor: AccountContext): Promise<Upload | undefined> =>
      isOperator(visitor) ? readAnyForm(request, limit) : undefined;
    return this.guard.submitFiles(request, reply, read, onlyForOperators(work));
  }
}
