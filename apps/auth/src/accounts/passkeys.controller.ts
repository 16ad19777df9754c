import { say } from '@lyceum/messages';
import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { PasswordProof } from '#src/sign-ins/password-proof.js';
import { go, sendPage } from '#src/pages/page.js';
import { PASSKEY_LIMITS, passkeyName } from '#src/passkeys/passkey.policy.js';
import type { PasskeyAddition } from '#src/passkeys/passkeys.service.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import { staleFormPage } from './account.page.js';
import { newPasskeyPage, noPasskeysPage, passkeysPage, removePasskeyPage } from './passkeys.page.js';
import type { PasskeysError } from './passkeys.page.js';
import { NEW_PASSKEY, PASSKEYS } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { FreshProof } from './fresh-proof.js';
import { Notices } from './notices.js';
import { signInBefore } from './sign-in-target.policy.js';

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
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    await this.#list(reply, context);
  }

  /** Checks the password, then continues at the page on which the browser creates a passkey. */
  @Post()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person } = context;
    const error = await this.proof.error({ request, site }, person, single(form, 'current') ?? '');
    if (error !== undefined) return this.#list(reply, context, error);
    this.fresh.leave(reply, context);
    go(reply, NEW_PASSKEY);
  }

  @Get('new')
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(PASSKEYS));
    if (!this.fresh.isFresh(request, context)) return go(reply, PASSKEYS);
    const { site, person, session } = context;
    const options = await this.passkeys.creation(site, person, session);
    sendPage(reply, options === undefined ? noPasskeysPage(site) : newPasskeyPage(context, options));
  }

  @Post('add')
  async add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, session } = context;
    const [name, credential] = [passkeyName(single(form, 'name') ?? ''), single(form, 'credential') ?? ''];
    if (name === undefined) return this.#list(reply, context, nameError());
    const addition = await this.passkeys.add(site, session, { name, credential });
    if (addition !== 'added') return this.#list(reply, context, ADDITION_ERRORS[addition]());
    this.fresh.end(reply, context);
    this.notices.leave(reply, context, 'passkey_added', name);
    go(reply, PASSKEYS);
  }

  @Post('rename')
  async rename(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person } = context;
    const name = passkeyName(single(form, 'name') ?? '');
    if (name === undefined) return this.#list(reply, context, nameError());
    await this.passkeys.rename(person.person_id, site.site_id, single(form, 'passkey') ?? '', name);
    this.notices.leave(reply, context, 'passkey_renamed', name);
    go(reply, PASSKEYS);
  }

  @Get('remove')
  async askRemoval(
    @Query('passkey') id: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    const passkeys = await this.passkeys.ofPerson(context.site, context.person.person_id);
    const found = passkeys?.find(({ passkey_id }) => passkey_id === id);
    if (found === undefined) return go(reply, PASSKEYS);
    sendPage(reply, removePasskeyPage(context, found));
  }

  @Post('remove')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person } = context;
    await this.passkeys.remove(site, person, single(form, 'passkey') ?? '');
    this.notices.leave(reply, context, 'passkey_removed');
    go(reply, PASSKEYS);
  }

  /** Sends the error page when it returns undefined. */
  async #authenticateForm(
    request: FastifyRequest,
    reply: FastifyReply,
    form: URLSearchParams,
  ): Promise<AccountContext | undefined> {
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) sendPage(reply, staleFormPage(siteOf(request)));
    return context;
  }

  async #list(reply: FastifyReply, context: AccountContext, error?: PasskeysError): Promise<void> {
    const { site, person } = context;
    const passkeys = await this.passkeys.ofPerson(site, person.person_id);
    sendPage(reply, passkeys === undefined ? noPasskeysPage(site) : passkeysPage(context, passkeys, error));
  }
}
