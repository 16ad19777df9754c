import { Injectable } from '@nestjs/common';
import { personEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import type { MemberOfSite } from './claims.policy.js';
import type { Authenticated } from './authenticated.js';
import { canonicalEmail } from './email.policy.js';
import type { PasswordOwner } from './password.policy.js';
import { Passwords } from './passwords.js';
import type { HashedPassword } from './passwords.js';
import { PeopleRepository } from './people.repository.js';
import type { Person } from './person.js';

type PersonEvent = 'created' | 'updated' | 'suspended' | 'reinstated' | 'deleted';

export interface PasswordChange {
  /** The password that the person has proved. */
  readonly proved: HashedPassword;
  readonly next: HashedPassword;
}

@Injectable()
export class PeopleService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly passwords: Passwords,
    private readonly grants: GrantsService,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  byId(personId: string): Promise<Person | undefined> {
    return this.people.byId(personId);
  }

  atSite(personId: string, siteId: string): Promise<MemberOfSite | undefined> {
    return this.people.atSite(personId, siteId);
  }

  /** Authenticates by email address and password. A wrong password and an unknown account look and cost the same. */
  async authenticate(email: string, password: string): Promise<Authenticated | undefined> {
    const address = canonicalEmail(email);
    const found = await this.people.credentials(address ?? '');
    const matching = await this.passwords.matches(found?.password_hash, password);
    return matching && found ? { person_id: found.person_id, sign_outs: found.sign_outs } : undefined;
  }

  /** Finds or creates the person with the email address. Keeps the name of an existing person. */
  async findOrCreate(
    manager: EntityManager,
    person: { email: string; name: string; locale?: string | null },
  ): Promise<{ person: Person; created: boolean }> {
    const email = canonicalEmail(person.email);
    if (email === undefined) throw new ApiError('validation_failed', 'The email address is not valid');
    const existing = await this.people.lockByEmail(manager, email);
    if (existing !== undefined) return { person: existing, created: false };
    const row = { email, name: person.name.trim() || email, locale: person.locale ?? null, email_verified: false };
    const created = await this.people.insert(manager, row);
    if (created === undefined) {
      const meanwhile = await this.people.lockByEmail(manager, email);
      if (meanwhile === undefined) throw new Error('The person was neither created nor found');
      return { person: meanwhile, created: false };
    }
    await this.#emit(manager, 'created', created);
    return { person: created, created: true };
  }

  async rename(manager: EntityManager, personId: string, name: string): Promise<Person> {
    return this.#change(manager, personId, { name }, 'updated');
  }

  hasPassword(manager: EntityManager, personId: string): Promise<boolean> {
    return this.people.passwordHash(personId, manager).then((hash) => hash !== null);
  }

  /** The error message for a new password; undefined when it is valid. */
  passwordError(password: string, owner: PasswordOwner): Promise<string | undefined> {
    return this.passwords.check(password, owner);
  }

  /**
   * The hash to store for a new password, made before the transaction that stores it.
   *
   * @throws ApiError `validation_failed` for a password that the owner may not choose
   */
  async hashPassword(password: string, owner: PasswordOwner): Promise<HashedPassword> {
    const error = await this.passwords.check(password, owner);
    if (error !== undefined) throw new ApiError('validation_failed', error);
    return this.passwords.hash(password);
  }

  /** The stored password of the person, which `password` is; undefined when it is another one. */
  async provePassword(personId: string, password: string): Promise<HashedPassword | undefined> {
    const hash = await this.people.passwordHash(personId);
    return (await this.passwords.matches(hash, password)) && hash !== null ? { hash } : undefined;
  }

  /**
   * Undefined when `proved` is no longer the password. Locks the row: the second of two concurrent changes sees the
   * first one's password.
   */
  async changePassword(
    manager: EntityManager,
    personId: string,
    { proved, next }: PasswordChange,
  ): Promise<Authenticated | undefined> {
    const person = await this.people.lock(manager, personId);
    const present = await this.people.passwordHash(personId, manager);
    if (present !== proved.hash || person?.state !== 'active') return undefined;
    return this.setPassword(manager, personId, next);
  }

  /** Sets the password of a definition. A first password ends nothing. */
  async applyPassword(manager: EntityManager, personId: string, next: HashedPassword): Promise<void> {
    if (await this.hasPassword(manager, personId)) await this.setPassword(manager, personId, next);
    else await this.people.setPasswordHash(manager, personId, next);
  }

  /**
   * Ends all grants and sessions, also when the password stays the same or is the first one, after sign-ins by links:
   * the person may suspect a theft.
   */
  async setPassword(manager: EntityManager, personId: string, next: HashedPassword): Promise<Authenticated> {
    const who = await this.setFirstPassword(manager, personId, next);
    await this.audit.record({ event: 'password.changed', person_id: personId }, manager);
    return who;
  }

  /** For an invitation or a sign-up. Ends all grants and sessions, too; no audit entry says that a password changed. */
  async setFirstPassword(manager: EntityManager, personId: string, next: HashedPassword): Promise<Authenticated> {
    await this.people.setPasswordHash(manager, personId, next);
    await this.grants.revokeOfPerson(manager, personId, 'password_changed');
    return { person_id: personId, sign_outs: await this.people.signOuts(manager, personId) };
  }

  /** The proof of a person who has followed a link to their address. Undefined for a suspended or unknown person. */
  async authenticateByLink(manager: EntityManager, email: string): Promise<Authenticated | undefined> {
    const person = await this.people.lockByEmail(manager, email);
    if (person?.state !== 'active') return undefined;
    const { person_id } = person;
    await this.confirmEmail(manager, person_id);
    return { person_id, sign_outs: await this.people.signOuts(manager, person_id) };
  }

  /** A followed link proves the address. */
  async confirmEmail(manager: EntityManager, personId: string): Promise<void> {
    const person = await this.people.lock(manager, personId);
    if (person?.email_verified === false) await this.#change(manager, personId, { email_verified: true }, 'updated');
  }

  /** Changes the address of a locked person, who has confirmed it. Sessions, grants and the password stay. */
  async changeEmail(manager: EntityManager, personId: string, email: string): Promise<Person> {
    const person = await this.people.changeEmail(manager, personId, email);
    if (person === undefined) throw new ApiError('not_found', 'The person does not exist');
    await this.#emit(manager, 'updated', person);
    return person;
  }

  async suspend(personId: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await this.#change(manager, personId, { state: 'suspended' }, 'suspended');
      await this.grants.revokeOfPerson(manager, personId, 'person_suspended');
      await this.audit.record({ event: 'person.suspended', person_id: personId }, manager);
    });
  }

  async reinstate(personId: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await this.#change(manager, personId, { state: 'active' }, 'reinstated');
      await this.audit.record({ event: 'person.reinstated', person_id: personId }, manager);
    });
  }

  /** Erases for good: the row stays for its references, without personal data. */
  async erase(manager: EntityManager, personId: string): Promise<void> {
    const erased = await this.people.erase(manager, personId);
    if (erased === undefined) throw new ApiError('not_found', 'The person does not exist');
    await this.#emit(manager, 'deleted', erased);
    await this.outbox.erase(manager, personEvents, { aggregate_id: personId, version: erased.version });
    await this.grants.revokeOfPerson(manager, personId, 'person_deleted');
    await this.audit.record({ event: 'person.deleted', person_id: personId }, manager);
  }

  /** Locks the person for the rest of the transaction. */
  hold(manager: EntityManager, personId: string): Promise<Person | undefined> {
    return this.people.lock(manager, personId);
  }

  /** Locks the person with the email address for the rest of the transaction. */
  async holdByEmail(manager: EntityManager, email: string): Promise<Person | undefined> {
    const address = canonicalEmail(email);
    return address === undefined ? undefined : this.people.lockByEmail(manager, address);
  }

  async signOutEverywhere(personId: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await this.grants.revokeOfPerson(manager, personId, 'signed_out');
      await this.audit.record({ event: 'signed_out.everywhere', person_id: personId }, manager);
    });
  }

  /** Undefined for a deleted person. */
  async byEmail(email: string): Promise<Person | undefined> {
    const address = canonicalEmail(email);
    const person = address === undefined ? undefined : await this.people.byEmail(address);
    return person?.state === 'deleted' ? undefined : person;
  }

  async #change(
    manager: EntityManager,
    personId: string,
    change: { name?: string; state?: Person['state']; email_verified?: boolean },
    event: PersonEvent,
  ): Promise<Person> {
    const person = await this.people.update(manager, personId, change);
    if (person === undefined) throw new ApiError('not_found', 'The person does not exist');
    await this.#emit(manager, event, person);
    return person;
  }

  republication(): Republication<typeof personEvents> {
    return {
      events: personEvents,
      batch: async (manager, [after], limit) => {
        const people = await this.people.share(manager, after, limit);
        return people.map((person) => ({ key: [person.person_id], event: toEvent(person) }));
      },
    };
  }

  #emit(manager: EntityManager, name: PersonEvent, person: Person): Promise<void> {
    return this.outbox.add(manager, personEvents, name, toEvent(person));
  }
}

function toEvent(person: Person): NewEvent<typeof personEvents> {
  const { person_id, email, name, picture, locale, state, version } = person;
  return {
    aggregate_id: person_id,
    aggregate_version: version,
    site_id: null,
    data: { person_id, email, name, picture, locale, state },
  };
}
