import { randomUUID } from 'node:crypto';
import type { Principal, Site } from '@lyceum/contracts';
import { IntrospectionServer, activeAt, respondJson } from '@lyceum/testing';

export type Caller = Partial<Pick<Principal, 'person_id' | 'client_id' | 'audience' | 'scopes' | 'roles'>>;

/** Two sites; one that has the few objects of lists alone, and one with many objects. */
export const SITES: readonly [Site, Site, Site, Site] = [siteOf(1), siteOf(2), siteOf(3), siteOf(4)];

/** People whom tokens belong to. A service that asks for roles has to know them. */
export const PEOPLE: readonly string[] = Array.from({ length: 500 }, () => randomUUID());

function siteOf(number: number): Site {
  const host = `school-${number}.example`;
  const id = `0190a0b0-0000-7000-8000-00000000000${number}`;
  return {
    site_id: id,
    org_id: id,
    host,
    base_url: `https://${host}`,
    name: `School ${number}`,
    slug: `school-${number}`,
    state: 'active',
  };
}

/** An introspection endpoint whose tokens say who they belong to, so a test mints one without a request. */
export class Callers {
  #tokens = 0;
  /** Person of the tokens that name none. Undefined: each token has the next person. */
  person: string | undefined;
  readonly #server = new IntrospectionServer();

  static async start(): Promise<Callers> {
    const callers = new Callers();
    callers.#server.response = (reply, form) => respondJson(reply, describe(form.get('token') ?? ''));
    await callers.#server.start();
    return callers;
  }

  get url(): string {
    return this.#server.url;
  }

  /** How many tokens the service has asked about. */
  get asked(): number {
    return this.#server.requests.length;
  }

  /** Issues a token. By default it has a new person and client, because quotas are per person and client. */
  token({ site_id }: Pick<Site, 'site_id'>, caller: Caller): string {
    return Buffer.from(JSON.stringify({ site_id, ...this.#next(caller) })).toString('base64url');
  }

  /** Returns the principal of the token, as the gateway signs it. */
  principal({ site_id }: Pick<Site, 'site_id'>, caller: Caller): Principal {
    const person = this.#next(caller);
    return {
      ...person,
      member_id: person.person_id,
      site_id,
      grant_id: 'grant',
      token_fingerprint: '0123456789abcdef',
      expires_at: Math.floor(Date.now() / 1000) + 60,
    };
  }

  #next(caller: Caller): Required<Caller> {
    const person_id = this.person ?? PEOPLE[(this.#tokens += 1) % PEOPLE.length] ?? '';
    return { person_id, client_id: randomUUID(), audience: 'operator', scopes: [], roles: ['owner'], ...caller };
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

function describe(token: string): Record<string, unknown> {
  const { site_id, scopes, person_id, client_id, audience, roles } = JSON.parse(
    Buffer.from(token, 'base64url').toString(),
  ) as Principal;
  const site = SITES.find((one) => one.site_id === site_id);
  if (site === undefined) return { active: false };
  return activeAt(site, { sub: person_id, person_id, client_id, audience, scope: scopes.join(' '), roles });
}
