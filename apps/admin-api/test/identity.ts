import { randomUUID } from 'node:crypto';
import {
  ERASED_NAME,
  REQUEST_HEADERS,
  changeMember,
  erasedEmail,
  inviteMember,
  orderRoles,
  reinstateMember,
  removeMember,
  setMemberRoles,
  suspendMember,
} from '@lyceum/contracts';
import type { ChangedMembership, MEMBER_REQUESTS, Membership, MemberState, Reply } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';

type Definition = (typeof MEMBER_REQUESTS)[number];

class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * Responds to member requests in place of auth, for sites that auth does not have. It keeps memberships as the contract
 * specifies; member-changes.spec.ts of auth tests the rules.
 */
export class Identity {
  readonly #members = new Map<string, Membership>();
  readonly #done = new Map<string, ChangedMembership>();
  /** Ids of the requests, in their order. */
  readonly requests: string[] = [];
  /** Loses this many replies. */
  lost = 0;

  private constructor(private readonly connection: NatsConnection) {}

  static async start(nats: (user: string) => Readonly<Record<string, string>>): Promise<Identity> {
    const connection = await connectAs(nats('auth'));
    const identity = new Identity(connection);
    identity.#respond(inviteMember, (input, site_id) => identity.#invite(input, site_id));
    identity.#respond(changeMember, ({ member_id, name, picture, locale, phone }, site_id) =>
      identity.#change(site_id, member_id, defined({ name, picture, locale, phone })),
    );
    identity.#respond(setMemberRoles, ({ member_id, roles }, site_id) =>
      identity.#change(site_id, member_id, { roles: orderRoles(roles) }),
    );
    identity.#respond(suspendMember, ({ member_id }, site_id) =>
      identity.#move(site_id, member_id, 'active', 'suspended'),
    );
    identity.#respond(reinstateMember, ({ member_id }, site_id) =>
      identity.#move(site_id, member_id, 'suspended', 'active'),
    );
    identity.#respond(removeMember, ({ member_id }, site_id) => identity.#remove(site_id, member_id));
    await connection.flush();
    return identity;
  }

  stop(): Promise<void> {
    return this.connection.close();
  }

  /** A person who has signed in at the site. */
  #invite({ email, roles, name, ...profile }: z.output<typeof inviteMember.input>, site_id: string): ChangedMembership {
    const taken = [...this.#members.values()].some((one) => one.site_id === site_id && one.email === email);
    if (taken) throw new Refused('already_exists');
    const membership: Membership = {
      member_id: randomUUID(),
      person_id: randomUUID(),
      site_id,
      email,
      name: name ?? email,
      picture: profile.picture ?? null,
      locale: profile.locale ?? null,
      phone: profile.phone ?? null,
      timezone: null,
      state: 'active',
      roles: orderRoles(roles),
      joined_at: new Date().toISOString(),
      student_id: null,
      joined: true,
      epoch: 1,
      version: 1,
    };
    return { membership, changed: true };
  }

  #change(site_id: string, member_id: string, change: Partial<Membership>): ChangedMembership {
    const known = this.#members.get(member_id);
    if (known?.site_id !== site_id) throw new Refused('not_found');
    const changed = Object.entries(change).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(known, name)),
    );
    return { membership: changed ? { ...known, ...change, version: known.version + 1 } : known, changed };
  }

  #move(site_id: string, member_id: string, from: MemberState, state: MemberState): ChangedMembership {
    const { membership } = this.#change(site_id, member_id, {});
    if (membership.state !== from && membership.state !== state) throw new Refused('invalid_state');
    return this.#change(site_id, member_id, { state });
  }

  #remove(site_id: string, member_id: string): ChangedMembership {
    const erased = { email: erasedEmail(member_id), name: ERASED_NAME, picture: null, locale: null, phone: null };
    return this.#change(site_id, member_id, { ...erased, state: 'removed', roles: [] });
  }

  #respond<D extends Definition>(
    definition: D,
    respond: (input: z.output<D['input']>, siteId: string) => ChangedMembership,
  ): void {
    this.connection.subscribe(definition.subject, {
      callback: (_error, message) => {
        const input = definition.input.parse(message.json()) as z.output<D['input']>;
        const site = message.headers?.get(REQUEST_HEADERS.site) ?? '';
        const { request_id } = input;
        this.requests.push(request_id);
        const reply = this.#reply(() => this.#done.get(request_id) ?? respond(input, site), input);
        if ((this.lost -= 1) < 0) message.respond(JSON.stringify(reply));
      },
    });
  }

  #reply(respond: () => ChangedMembership, { dry_run, request_id }: z.output<Definition['input']>): Reply {
    try {
      const result = respond();
      if (!dry_run) {
        this.#members.set(result.membership.member_id, result.membership);
        this.#done.set(request_id, result);
      }
      return { ok: true, result };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, error: { code: error.code, detail: 'Refused' } };
    }
  }
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
