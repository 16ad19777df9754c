import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import { go, sendPage } from '#src/pages/page.js';
import { PASSKEY_LIMITS, passkeyName } from '#src/passkeys/passkey.policy.js';
import type { PasskeyAddition } from '#src/passkeys/passkeys.service.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { staleFormPage } from './account.page.js';
import { newPasskeyPage, noPasskeysPage, passkeysPage } from './passkeys.page.js';
import type { PasskeysError } from './passkeys.page.js';
import { ACCOUNT, PASSKEYS } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';

const NAME_ERROR: PasskeysError = {
  status: 422,
  message: `The name of a passkey has 1 to ${PASSKEY_LIMITS.nameLength} characters.`,
};
const ADDITION_ERRORS: Record<Exclude<PasskeyAddition, 'added'>, PasskeysError> = {
  refused: { status: 422, message: 'Your browser did not create a passkey for this site. Nothing was added.' },
  stale: { status: 403, message: 'The page has expired or was already used. Try again.' },
  known: { status: 409, message: 'This passkey is already added.' },
  too_many: { status: 409, message: 'You have the maximum number of passkeys. Nothing was added. Remove one first.' },
};

/** A person's own passkeys at a site. Adding one needs the current password; the other actions work without scripts. */
@Controller(PASSKEYS)
@UseFilters(OAuthErrorFilter)
export class PasskeysController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly signIns: SignInService,
    private readonly people: PeopleService,
    private readonly passkeys: PasskeysService,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, `${ACCOUNT}/sign-in`);
    await this.#list(reply, context);
  }

  /** Checks the password, then shows the page on which the browser creates a passkey. */
  @Post()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person, session } = context;
    const current = single(form, 'current') ?? '';
    const check = (account: string) => this.people.authenticate(account, current);
    const outcome = await this.signIns.prove({ request, site }, person.email, check);
    if (outcome.kind === 'refused') {
      return this.#list(reply, context, { status: 422, field: 'current', message: 'The current password is wrong.' });
    }
    if (outcome.kind === 'slowed_down') {
      const { retryAfter } = outcome;
      const message = `Too many attempts. Wait ${retryAfter} seconds, then try again.`;
      return this.#list(reply, context, { status: 429, field: 'current', message, retryAfter });
    }
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
    if (name === undefined) return this.#list(reply, context, NAME_ERROR);
    const addition = await this.passkeys.add(site, session, { name, credential });
    if (addition !== 'added') return this.#list(reply, context, ADDITION_ERRORS[addition]);
    go(reply, PASSKEYS);
  }

  @Post('rename')
  async rename(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person } = context;
    const name = passkeyName(single(form, 'name') ?? '');
    if (name === undefined) return this.#list(reply, context, NAME_ERROR);
    await this.passkeys.rename(person.person_id, site.site_id, single(form, 'passkey') ?? '', name);
    go(reply, PASSKEYS);
  }

  @Post('remove')
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.#authenticateForm(request, reply, form);
    if (context === undefined) return;
    const { site, person } = context;
    await this.passkeys.remove(site, person, single(form, 'passkey') ?? '');
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
