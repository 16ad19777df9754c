import { splitScope } from '@lyceum/contracts';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import { go, sendPage } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { InteractionService } from './interaction.service.js';
import type { Step } from './interaction.service.js';

function follow(reply: FastifyReply, step: Step): void {
  if (step.kind === 'page') sendPage(reply, step.page);
  else go(reply, step.location);
}

/** The pages between an authorization request and its response. */
@Controller(`${ENDPOINTS.interaction}/:uid`)
@UseFilters(OAuthErrorFilter)
export class InteractionController {
  constructor(private readonly interactions: InteractionService) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    follow(reply, await this.interactions.show(request, reply, siteOf(request)));
  }

  /** For a request that began with the sign-up. */
  @Get('sign-in')
  async showSignIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    follow(reply, await this.interactions.show(request, reply, siteOf(request), 'sign-in'));
  }

  /** After a sign-in by a link from an email, which this interaction led to. */
  @Get('continue')
  async continue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    follow(reply, await this.interactions.continue(request, reply, siteOf(request)));
  }

  @Post('sign-in')
  async signIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const sent = {
      csrf: single(form, 'csrf'),
      email: single(form, 'email') ?? '',
      password: single(form, 'password') ?? '',
      credential: single(form, 'credential'),
    };
    follow(reply, await this.interactions.signIn(request, reply, siteOf(request), sent));
  }

  @Post('consent')
  async consent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const decision = single(form, 'decision') === 'approve' ? 'approve' : 'deny';
    const shown = splitScope(single(form, 'shown') ?? '');
    const submitted = { decision, shown, base: single(form, FORM_BASE), csrf: single(form, 'csrf') } as const;
    follow(reply, await this.interactions.decide(request, reply, siteOf(request), submitted));
  }

  @Post('cancel')
  async cancel(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const csrf = single(await readForm(request), 'csrf');
    const denial = { decision: 'deny', shown: [], base: undefined, csrf } as const;
    follow(reply, await this.interactions.decide(request, reply, siteOf(request), denial));
  }

  @Post('switch')
  async switchAccount(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const csrf = single(await readForm(request), 'csrf');
    follow(reply, await this.interactions.switchAccount(request, reply, siteOf(request), csrf));
  }
}
