import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { ClientsService } from '#src/clients/clients.service.js';
import { staleInteractionPage } from '#src/pages/error.page.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { PeopleService } from '#src/people/people.service.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { withoutSelectAccount } from '#src/provider/engine/authorization.policy.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import type { SiteRecord } from '#src/sites/site.js';
import { ANOTHER, accountChooserPage } from './account-chooser.page.js';
import type { ShownAccount } from './account-chooser.page.js';

/** The browser and the site of a choice. */
interface At {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: SiteRecord;
}

interface Choice {
  readonly csrf: string | undefined;
  /** The `uid` of a session of this browser, or ANOTHER. */
  readonly account: string;
  readonly query: string;
}

const purpose = (accounts: readonly ShownAccount[]): string => `accounts:${accounts.map(({ uid }) => uid).join(' ')}`;

/** The authorization request of the query, which continues without the question for the account. */
const continueAt = (params: URLSearchParams, instead?: 'login'): string =>
  `${ENDPOINTS.authorization}?${withoutSelectAccount(params, instead).toString()}`;

/** Chooses among the accounts that are signed in with this browser, for `prompt=select_account`. */
@Injectable()
export class AccountChooser {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly people: PeopleService,
    private readonly clients: ClientsService,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  /** The page, or the address to continue at when it has no choice to offer. */
  async show({ request, reply, site }: At, query: string): Promise<Page | string> {
    const params = new URLSearchParams(query);
    const [accounts, client] = await Promise.all([
      this.#accounts({ request, reply, site }),
      this.clients.atSite(params.get('client_id') ?? '', site.site_id),
    ]);
    if (accounts.length === 0 || client === undefined) return continueAt(params, 'login');
    const csrf = this.csrfTokens.issue(purpose(accounts));
    return accountChooserPage(site, { client, accounts, csrf, query });
  }

  /** The address to continue at, or a page when the accounts of the browser have changed since. */
  async choose(at: At, { csrf, account, query }: Choice): Promise<Page | string> {
    const { request, reply, site } = at;
    const accounts = await this.#accounts(at);
    if (!this.csrfTokens.verify(site, request, purpose(accounts), csrf)) return staleInteractionPage(site);
    const params = new URLSearchParams(query);
    if (account === ANOTHER) {
      await this.sessions.leave(request, reply, site);
      return continueAt(params);
    }
    const chosen = await this.sessions.choose(request, reply, site, account);
    return chosen ? continueAt(params) : staleInteractionPage(site);
  }

  async #accounts({ request, reply, site }: At): Promise<ShownAccount[]> {
    const sessions = await this.sessions.all(request, reply, site);
    const shown = sessions.map(async ({ uid, person_id }) => {
      const person = await this.people.atSite(person_id, site.site_id);
      return person && { uid, name: person.name, email: person.email };
    });
    const accounts = (await Promise.all(shown)).filter((account) => account !== undefined);
    // A person may have left a session and signed in again: the first session is the current one.
    return accounts.filter(({ email }, index) => accounts.findIndex((one) => one.email === email) === index);
  }
}
