import { splitScope } from '@lyceum/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction, InteractionResults } from 'oidc-provider';
import type { OAuthClient } from '#src/clients/client.js';
import { allowsRedirect } from '#src/clients/redirect-uri.policy.js';
import type { Authenticated, SignedIn } from '#src/people/authenticated.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Approver } from '../browser-state/approver.js';
import type { BrowserRepository } from '../browser-state/browser.repository.js';
import type { Asked, ClaimedInteraction, FoundInteraction } from '../browser-state/interaction-reads.js';
import type { Decisions } from '../browser-state/decisions.js';
import type { Approvals } from '../engine/approvals.js';
import type { Engine } from '../engine/engine.js';
import {
  continuesWith,
  interactionId,
  isOfSession,
  openSession,
  storedInteraction,
  withSecrets,
} from '../engine/engine.internals.js';
import { engineRequest } from '../engine/engine-request.js';
import { loginOf } from '../engine/fresh-sign-in.js';
import type { Granting } from '../engine/new-grants.js';
import { decisionSecret, digestOf, issueResumeProof } from '../engine/resume-proof.js';

/** A question to the person during an authorization. */
export interface PendingInteraction {
  readonly uid: string;
  readonly site: SiteRecord;
  /** `create`: the sign-up, which a sign-in replaces. */
  readonly prompt: 'create' | 'login' | 'consent';
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly login_hint: string | undefined;
  /** The signed-in person. */
  readonly person_id: string | undefined;
}

export interface InteractionContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: SiteRecord;
  readonly engine: Engine;
  readonly approvals: Approvals;
  readonly browser: BrowserRepository;
  readonly decisions: Decisions;
  /** Keys the secrets of decisions. */
  readonly key: string;
}

export interface OpenedInteraction {
  readonly details: Interaction;
  readonly client: OAuthClient | undefined;
  /** The person of the session at this moment. */
  readonly session_person: string | undefined;
  /** Undefined unless it was read for its page. */
  readonly asked: Asked | undefined;
  /** The person who decides. Undefined unless it was claimed. */
  readonly approver: Approver | undefined;
}

type Found = FoundInteraction & Partial<Asked> & Partial<Pick<ClaimedInteraction, 'approver'>>;

const READS = {
  open: ({ browser, site }: InteractionContext, id: string): Promise<Found | undefined> =>
    browser.openInteraction(site.site_id, id),
  /** With all that its page shows. */
  show: ({ browser, site }: InteractionContext, id: string): Promise<Found | undefined> =>
    browser.shownInteraction(site.site_id, id, site.base_url),
  /** For the first decision only. */
  claim: ({ browser, site }: InteractionContext, id: string): Promise<Found | undefined> =>
    browser.claimInteraction(site.site_id, id),
} as const;

/** The interaction of the cookie and the URL; undefined when it is over or foreign. */
export async function interactionOfCookie(
  context: InteractionContext,
  purpose: keyof typeof READS = 'open',
): Promise<OpenedInteraction | undefined> {
  const { request, reply, site } = context;
  const { provider } = context.engine;
  const id = interactionId(provider, engineRequest(site, request, request.url), reply.raw);
  const { uid } = request.params as { uid?: string };
  const found = id === undefined || id !== uid ? undefined : await READS[purpose](context, id);
  if (id === undefined || found === undefined) return undefined;
  const { client, session_person, member, approved, approver } = found;
  const payload = withSecrets(found.payload, id, `${site.base_url}${ENDPOINTS.authorization}`);
  return {
    details: storedInteraction(provider, id, payload),
    client,
    session_person: session_person ?? undefined,
    asked: approved && { member, approved },
    approver,
  };
}

/** The same; undefined also when its session has ended. */
export async function readInteraction(
  context: InteractionContext,
  purpose: 'open' | 'show' = 'open',
): Promise<OpenedInteraction | undefined> {
  const opened = await interactionOfCookie(context, purpose);
  return opened && isOfSession(opened.details, opened.session_person) ? opened : undefined;
}

/**
 * The interaction of one request. Each method reads it again first, because a password check may take long: it returns
 * undefined when the interaction has ended since, and otherwise the URL at which the authorization continues.
 */
export class OpenInteraction {
  private readonly opened: Interaction;
  readonly pending: PendingInteraction;
  /** Undefined when the site has deleted or blocked it. */
  readonly client: OAuthClient | undefined;
  /** The person of the consent page, if it was read for a page. */
  readonly asked: Asked | undefined;
  /** The person who decides, if it was claimed. Undefined when the person may no longer use the site. */
  readonly approver: Approver | undefined;

  constructor(
    private readonly context: InteractionContext,
    { details, client, asked, approver }: OpenedInteraction,
  ) {
    this.opened = details;
    this.pending = describe(context.site, details);
    this.client = client;
    this.asked = asked;
    this.approver = approver;
  }

  /** `who` has authenticated. Another person's session in this browser ends first. */
  async signIn(who: SignedIn): Promise<string | undefined> {
    const details = await this.#confirm();
    if (details === undefined) return undefined;
    await this.#leaveSessions(details, who);
    return this.#finish(details, resultOf(details, who), randomToken());
  }

  /** The claim has confirmed that the interaction is open, so it is not read again. */
  async approve(who: Authenticated, granting: Granting): Promise<string | undefined> {
    const { approvals, engine, reply, site } = this.context;
    if (this.client === undefined) return undefined;
    const { version } = this.client;
    const { uid, lastSubmission, returnTo } = this.opened;
    const secret = this.#secret(this.opened);
    const proof = digestOf(secret);
    const result = (grantId: string) => ({ ...lastSubmission, consent: { grantId }, proof });
    const granted = { client_id: this.pending.client_id, ...granting };
    if (!(await approvals.save(engine.provider, site, who, granted, { uid, version, result }))) return undefined;
    issueResumeProof(reply, site, uid, secret);
    return returnTo;
  }

  /** Leads to no redirect URI that the client has lost since the request. */
  async deny(description: string): Promise<string | undefined> {
    if (!allowsRedirect(this.client?.redirect_uris ?? [], this.pending.redirect_uri)) return undefined;
    const details = await this.#confirm();
    if (details === undefined) return undefined;
    const result = { error: 'access_denied', error_description: description };
    return this.#finish(details, result, this.#secret(details));
  }

  /** Allows another decision, because this one had no result. */
  release(): Promise<void> {
    return this.context.decisions.release(this.context.site, this.pending.uid);
  }

  /** Ends the session of this browser and starts the same authorization again. */
  async switchAccount(): Promise<string | undefined> {
    const details = await this.#confirm();
    if (details === undefined) return undefined;
    const { browser, site } = this.context;
    const { session } = details;
    if (session !== undefined) {
      await browser.endSession(session.accountId, site.site_id, session.uid, 'replaced');
    }
    await details.destroy();
    return authorizationUrl(site, details.params);
  }

  /** The session of the browser may be another one than that of the request: another page has signed in meanwhile. */
  async #leaveSessions(details: Interaction, { person_id }: SignedIn): Promise<void> {
    const { browser, engine, reply, request, site } = this.context;
    const { session: begun } = details;
    const engineSide = engineRequest(site, request, request.url);
    const { session: current } = await openSession(engine.provider, engineSide, reply.raw);
    if (begun !== undefined && !continuesWith(begun, current, person_id)) {
      delete details.session;
      await details.persist();
    }
    const left = begun === undefined || begun.uid === current.uid ? [current] : [begun, current];
    for (const { accountId, uid } of left) {
      if (accountId === undefined || accountId === person_id) continue;
      await browser.endSession(accountId, site.site_id, uid, 'replaced');
    }
  }

  /** Another request may have finished the interaction, or replaced its session, since it was opened. */
  async #confirm(): Promise<Interaction | undefined> {
    return (await readInteraction(this.context))?.details;
  }

  #secret({ uid }: Interaction): string {
    const { key, request, site } = this.context;
    return decisionSecret(request, site, uid, key);
  }

  #finish(details: Interaction, result: InteractionResults, secret: string): Promise<string> {
    return finishInteraction(this.context, details, result, secret);
  }
}

/** Returns the URL at which the authorization continues. `details` were read in this request. */
export async function finishInteraction(
  { reply, site }: Pick<InteractionContext, 'reply' | 'site'>,
  details: Interaction,
  result: InteractionResults,
  secret: string,
): Promise<string> {
  const proven = { ...result, proof: issueResumeProof(reply, site, details.uid, secret) };
  details.result = 'error' in result ? proven : { ...details.lastSubmission, ...proven };
  // An interaction that has ended since stays ended.
  await details.persist();
  return details.returnTo;
}

/** The URL at which the same authorization starts again. */
export function authorizationUrl({ base_url }: SiteRecord, params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of [value].flat()) if (typeof item === 'string') query.append(name, item);
  }
  return `${base_url}${ENDPOINTS.authorization}?${query.toString()}`;
}

export function promptOf({ prompt }: Interaction): PendingInteraction['prompt'] {
  return prompt.name === 'create' || prompt.name === 'login' ? prompt.name : 'consent';
}

/** A sign-in answers a request for a sign-up, too. */
export function resultOf(details: Interaction, who: SignedIn): InteractionResults {
  return { login: loginOf(who), ...(promptOf(details) === 'create' ? { create: {} } : {}) };
}

function describe(site: SiteRecord, details: Interaction): PendingInteraction {
  const text = (name: string): string => {
    const value = details.params[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    uid: details.uid,
    site,
    prompt: promptOf(details),
    client_id: text('client_id'),
    redirect_uri: text('redirect_uri'),
    scopes: splitScope(text('scope')),
    login_hint: text('login_hint') || undefined,
    person_id: details.session?.accountId,
  };
}
