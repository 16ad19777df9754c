import { Injectable } from '@nestjs/common';
import { isScope, splitScope } from '@lyceum/contracts';
import { errors } from 'oidc-provider';
import type { Client, Configuration, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { ConsentService } from '#src/consents/consent.service.js';
import type { ConsentQuestion } from '#src/consents/consent.service.js';
import { allClaims } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from '../browser-state/browser.repository.js';
import { freshSignIn } from './fresh-sign-in.js';
import { knownMember } from './known-rows.js';
import { NewGrants } from './new-grants.js';
import { needsPrompt, promptsOf } from './prompts.js';

function audienceOf(client: Client): ClientAudience {
  return client['x_audience'] === 'member' ? 'member' : 'operator';
}

/**
 * A client_id is public, and any program of a device can listen on loopback or register a scheme. Without a client
 * secret the request does not prove which program sent it, so consent is required each time (RFC 8252 §8.6).
 */
function couldBeAnyProgram({ client, params }: KoaContextWithOIDC['oidc']): boolean {
  return client?.['x_confidential'] !== true && !String(params?.['redirect_uri']).startsWith('https:');
}

/**
 * The person may take half an hour to decide, and the engine checks a request only on arrival. This check refuses
 * scopes and redirect URIs that the client lost in the meantime.
 */
function checkStillAllowed({ client, params, requestParamScopes }: KoaContextWithOIDC['oidc']): void {
  if (client?.redirectUriAllowed(String(params?.['redirect_uri'])) !== true) throw new errors.InvalidRedirectUri();
  const held = splitScope(client.scope ?? '');
  const lost = [...requestParamScopes].find((scope) => isScope(scope) && !held.includes(scope));
  if (lost !== undefined) throw new errors.InvalidScope('requested scope is not allowed', lost);
}

/** Account lookups of the engine: identity and approvals. */
@Injectable()
export class AccountFinder {
  constructor(
    private readonly people: PeopleService,
    private readonly consent: ConsentService,
    private readonly browser: BrowserRepository,
    private readonly newGrants: NewGrants,
  ) {}

  finder(site: SiteRecord): FindAccount {
    return async (ctx, sub) => {
      const person = knownMember(ctx.req, sub) ?? (await this.people.atSite(sub, site.site_id));
      return person && { accountId: person.person_id, sub: person.member_id, claims: () => allClaims(person) };
    };
  }

  /**
   * The grant of an authorization: the one that was just approved, or a new one when an earlier approval covers the
   * request. Every authorization has its own grant, so that a replayed code does not revoke another device.
   */
  grantLoader(site: SiteRecord): NonNullable<Configuration['loadExistingGrant']> {
    const prompts = promptsOf(site);
    return async (ctx) => {
      const { oidc } = ctx;
      checkStillAllowed(oidc);
      const approved = oidc.result?.consent?.grantId;
      if (approved !== undefined) return oidc.provider.Grant.find(approved);
      const question = (await needsPrompt(prompts, ctx)) ? undefined : this.#question(site, ctx);
      if (question === undefined) return undefined;
      const remembered = await this.consent.remembered(question, knownMember(ctx.req, question.person_id));
      if (!remembered.allowed) return undefined;
      const who = freshSignIn(ctx) ?? (await this.browser.signedIn(site.site_id, oidc.session?.uid ?? ''));
      if (who?.person_id !== question.person_id) return undefined;
      return this.newGrants.make(oidc.provider, site, who, { client_id: question.client.client_id, ...remembered });
    };
  }

  #question(site: SiteRecord, { oidc }: KoaContextWithOIDC): ConsentQuestion | undefined {
    if (oidc.client === undefined || oidc.account === undefined || couldBeAnyProgram(oidc)) return undefined;
    return {
      person_id: oidc.account.accountId,
      site_id: site.site_id,
      resource: site.base_url,
      client: {
        client_key: String(oidc.client['x_client_key']),
        client_id: oidc.client.clientId,
        audience: audienceOf(oidc.client),
      },
      scopes: [...oidc.requestParamScopes],
    };
  }
}
