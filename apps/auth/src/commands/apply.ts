import { Injectable } from '@nestjs/common';
import { roleSchema } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { z } from 'zod';
import { ClientsService } from '#src/clients/clients.service.js';
import type { HashedPassword } from '#src/people/passwords.js';
import { PeopleService } from '#src/people/people.service.js';
import { MembersService } from '#src/members/members.service.js';
import { SitesService } from '#src/sites/sites.service.js';

const personSchema = z.object({
  email: z.string(),
  password: z.string().optional(),
  name: z.string(),
  roles: z.array(roleSchema),
});
const clientSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(16).optional(),
  name: z.string().min(1),
  audience: z.enum(['member', 'operator']),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()).default([]),
  compatibility_mode: z.boolean().default(false),
  scopes: z.array(z.string()),
});
const siteSchema = z.object({
  base_url: z.string(),
  name: z.string().min(1),
  slug: z.string(),
  org_id: z.string().optional(),
  people: z.array(personSchema).default([]),
  clients: z.array(clientSchema).default([]),
});

/** The input of `apply`: sites with their people and clients. */
export const seedSchema = z.object({ sites: z.array(siteSchema) });
export type Seed = z.input<typeof seedSchema>;

type SiteSeed = z.output<typeof siteSchema>;
type PersonSeed = z.output<typeof personSchema>;
/** `member_id` is the `sub` of the person's tokens at the site. */
interface MemberIds {
  readonly person_id: string;
  readonly member_id: string;
}
/** The definition with the assigned ids. */
export interface AppliedSeed {
  readonly sites: readonly (Omit<SiteSeed, 'people'> & {
    readonly site_id: string;
    readonly org_id: string;
    readonly people: readonly (PersonSeed & MemberIds)[];
  })[];
}

/** Applies a definition to the deployment. Idempotent. */
@Injectable()
export class ApplySeed {
  constructor(
    private readonly sites: SitesService,
    private readonly people: PeopleService,
    private readonly members: MembersService,
    private readonly clients: ClientsService,
    private readonly outbox: Outbox,
  ) {}

  async apply(seed: Seed): Promise<AppliedSeed> {
    const { sites } = seedSchema.parse(seed);
    const applied: AppliedSeed['sites'][number][] = [];
    for (const site of sites) applied.push(await this.#site(site));
    return { sites: applied };
  }

  async #site(seed: SiteSeed): Promise<AppliedSeed['sites'][number]> {
    const { site_id, org_id, base_url } = await this.sites.apply(seed);
    const people = [];
    for (const person of seed.people) people.push({ ...person, ...(await this.#person(site_id, seed.name, person)) });
    for (const client of seed.clients) await this.clients.apply(site_id, client);
    return { ...seed, base_url, site_id, org_id, people };
  }

  async #person(siteId: string, siteName: string, seed: PersonSeed): Promise<MemberIds> {
    const { email, name, password, roles } = seed;
    const changed = password === undefined ? undefined : await this.#changedPassword(siteName, email, password);
    return this.outbox.transaction(async (manager) => {
      const { person } = await this.people.findOrCreate(manager, { email, name });
      if (password !== undefined) {
        if (changed !== undefined) await this.people.applyPassword(manager, person.person_id, changed);
        // The author of the definition vouches for the addresses in it.
        await this.people.confirmEmail(manager, person.person_id);
      }
      const { person_id } = person;
      return { person_id, member_id: await this.members.set(manager, siteId, person, roles, { profile: { name } }) };
    });
  }

  /** Undefined when the person has this password, because definitions are applied repeatedly. */
  async #changedPassword(siteName: string, email: string, password: string): Promise<HashedPassword | undefined> {
    const person = await this.people.byEmail(email);
    const isSame = person !== undefined && (await this.people.provePassword(person.person_id, password)) !== undefined;
    return isSame ? undefined : this.people.hashPassword(password, { email: person?.email ?? email, siteName });
  }
}
