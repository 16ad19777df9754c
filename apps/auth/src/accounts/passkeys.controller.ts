import { say } from '@lyceum/messages';
import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { Page } from '@lyceum/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { PasswordProof } from '#src/sign-ins/password-proof.js';
import type { Shown } from '#src/pages/page.js';
import { PASSKEY_LIMITS, passkeyName } from '#src/passkeys/passkey.policy.js';
import type { PasskeyAddition } from '#src/passkeys/passkeys.service.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import { newPasskeyPage, noPasskeysPage, passkeysPage, removePasskeyPage } from './passkeys.page.js';
import type { PasskeysError } from './passkeys.page.js';
import { NEW_PASSKEY, PASSKEYS } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { FreshProof } from './fresh-proof.js';
import { Notices } from '#src/notices/notices.js';

const nameError = (): PasskeysError => ({
  status: 422,
  message: say('passkeys.name_length', { max: PASSKEY_LIMITS.nameLength }),
});
const ADDITION_ERRORS: Record<Exclude<PasskeyAddition, 'added'>, () => PasskeysError> = {
  refused: () => ({ status: 422, message: say('passkeys.refused') }),
  stale: () => ({ status: 403, message: say('form.expired') }),
  known: () => ({ status: 409, message: say('passkeys.known') }),
  too_many: () => ({ status: 409, message: say('passkeys.too_many') }),
};

/** A person's own passkeys at a site. Adding one needs the current password; the other actions work without scripts. */
@Controller(PASSKEYS)
@UseFilters(OAuthErrorFilter)
export class PasskeysController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly proof: PasswordProof,
    private readonly fresh: FreshProof,
    private readonly passkeys: PasskeysService,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, (context) => this.#list(context));
  }

  /** Checks the password, then continues at the page on which the browser creates a passkey. */
  @Post()
  begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { site, person } = context;
      const error = await this.proof.error({ request, site }, person, single(form, 'current') ?? '');
      if (error !== undefined) return this.#list(context, error);
      this.fresh.leave(reply, context);
      return NEW_PASSKEY;
    });
  }

  @Get('new')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const work = async (context: AccountContext): Promise<Shown> => {
      if (!this.fresh.isFresh(request, context)) return PASSKEYS;
      const { site, person, session } = context;
      const options = await this.passkeys.creation(site, person, session);
      return options === undefined ? noPasskeysPage(site) : newPasskeyPage(context, options);
    };
    return this.guard.show(request, reply, work, PASSKEYS);
  }

  @Post('add')
  add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { site, session } = context;
      const [name, credential] = [passkeyName(single(form, 'name') ?? ''), single(form, 'credential') ?? ''];
      if (name === undefined) return this.#list(context, nameError());
      const addition = await this.passkeys.add(site, session, { name, credential });
      if (addition !== 'added') return this.#list(context, ADDITION_ERRORS[addition]());
      this.fresh.end(reply, context);
      this.notices.leave(reply, context, 'passkey_added', name);
      return PASSKEYS;
    });
  }

  @Post('rename')
  rename(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { site, person } = context;
      const name = passkeyName(single(form, 'name') ?? '');
      if (name === undefined) return this.#list(context, nameError());
      await this.passkeys.rename(person.person_id, site.site_id, single(form, 'passkey') ?? '', name);
      this.notices.leave(reply, context, 'passkey_renamed', name);
      return PASSKEYS;
    });
  }

  @Get('remove')
  askRemoval(@Query('passkey') id: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const passkeys = await this.passkeys.ofPerson(context.site, context.person.person_id);
      const found = passkeys?.find(({ passkey_id }) => passkey_id === id);
      return found === undefined ? PASSKEYS : removePasskeyPage(context, found);
    });
  }

  @Post('remove')
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { site, person } = context;
      await this.passkeys.remove(site, person, single(form, 'passkey') ?? '');
      this.notices.leave(reply, context, 'passkey_removed');
      return PASSKEYS;
    });
  }

  async #list(context: AccountContext, error?: PasskeysError): Promise<Page> {
    const { site, person } = context;
    const passkeys = await this.passkeys.ofPerson(site, person.person_id);
    return passkeys === undefined ? noPasskeysPage(site) : passkeysPage(context, passkeys, error);
  }
}
