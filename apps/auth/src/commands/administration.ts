import { Injectable } from '@nestjs/common';
import { roleSchema } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ClientsService } from '#src/clients/clients.service.js';
import type { ClientDefinition, ClientRevision } from '#src/clients/clients.service.js';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { MembersService } from '#src/members/members.service.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';

export interface CreatedClient {
  readonly client_id: string;
  /** Shown once: only the digest is stored. */
  readonly client_secret?: string;
}

/** The operations of the command line on one site. */
@Injectable()
export class Administration {
  constructor(
    private readonly people: PeopleService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly clients: ClientsService,
    private readonly outbox: Outbox,
  ) {}

  /** Finds or creates the person, adds the role, and sends the invitation. */
  invite(
    site: SiteRecord,
    person: { email: string; name: string; role: Role },
  ): Promise<{ person_id: string; link: string | undefined }> {
    return this.outbox.transaction(async (manager) => {
      const found = await this.people.findOrCreate(manager, person);
      const role = roleSchema.parse(person.role);
      await this.members.add(manager, site.site_id, found.person, role, { profile: person });
      const link = await this.invitations.welcome(manager, site, found.person);
      return { person_id: found.person.person_id, link };
    });
  }

  async createClient(
    site: SiteRecord,
    definition: Omit<ClientDefinition, 'client_id' | 'client_secret'> & { confidential: boolean },
  ): Promise<CreatedClient> {
    if (definition.name.trim() === '') throw new ApiError('validation_failed', 'A client needs a name');
    const client_secret = definition.confidential ? randomToken() : undefined;
    const client = await this.outbox.transaction((manager) =>
      this.clients.create(manager, site.site_id, 'site', { ...definition, client_secret }),
    );
    return { client_id: client.client_id, ...(client_secret === undefined ? {} : { client_secret }) };
  }

  async reviseClient(site: SiteRecord, clientId: string, revision: ClientRevision): Promise<{ client_id: string }> {
    await this.outbox.transaction((manager) => this.clients.revise(manager, clientId, site.site_id, () => revision));
    return { client_id: clientId };
  }

  deleteClient(site: SiteRecord, clientId: string): Promise<void> {
    return this.clients.delete(clientId, site.site_id);
  }

  async addRole(site: SiteRecord, email: string, role: Role): Promise<void> {
    await this.#change(email, (manager, person) => this.members.add(manager, site.site_id, person, role));
  }

  /** Ends the grants that the person could no longer authorize. */
  async removeRole(site: SiteRecord, email: string, role: Role): Promise<void> {
    await this.#change(email, (manager, person) => this.members.remove(manager, site.site_id, person, role));
  }

  /** Suspends a person at one site, or everywhere without `site`. */
  async suspend(email: string, site?: SiteRecord): Promise<void> {
    if (site === undefined) return this.people.suspend((await this.#person(email)).person_id);
    await this.#change(email, (manager, person) => this.members.suspend(manager, site.site_id, person));
  }

  async reinstate(email: string, site?: SiteRecord): Promise<void> {
    if (site === undefined) return this.people.reinstate((await this.#person(email)).person_id);
    await this.#change(email, (manager, person) => this.members.reinstate(manager, site.site_id, person));
  }

  /** Removes all roles at the site. */
  async removeMember(site: SiteRecord, email: string): Promise<void> {
    await this.#change(email, (manager, person) => this.members.set(manager, site.site_id, person, []));
  }

  /** Deletes the person at every site, for good. */
  async deletePerson(email: string): Promise<void> {
    await this.#change(email, async (manager, person) => {
      await this.members.removeAll(manager, person);
      await this.people.erase(manager, person.person_id);
    });
  }

  /** Mails a link to reset the password. */
  async resetPassword(site: SiteRecord, email: string): Promise<string> {
    const person = await this.invitations.resettable(site, email);
    if (person === undefined) throw new ApiError('not_found', `No member of ${site.base_url} has this address`);
    return this.outbox.transaction((manager) => this.invitations.reset(manager, site, person));
  }

  /** Locks the person before the memberships, as all transactions that need both. */
  async #change(email: string, work: (manager: EntityManager, person: Person) => Promise<unknown>): Promise<void> {
    const { person_id } = await this.#person(email);
    await this.outbox.transaction(async (manager) => {
      const person = await this.people.hold(manager, person_id);
      if (person !== undefined) await work(manager, person);
    });
  }

  async #person(email: string): Promise<Person> {
    const person = await this.people.byEmail(email);
    if (person === undefined) throw new ApiError('not_found', `No person has the address ${email}`);
    return person;
  }
}
