import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, RowChange, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { isErasedEmail, isTeacher, lecturerEvents } from '@lyceum/contracts';
import type { OfSite, Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnProfile } from '#src/access/teacher.fence.js';
import { Followers } from '#src/followers/followers.js';
import { PictureService, pictureFile } from '#src/pictures/picture.service.js';
import { urlPart } from '#src/urls/object-url.js';
import { Lecturer } from './lecturer.entity.js';
import { linkOf, mayBeLecturer } from './lecturer.policy.js';
import { LecturerRepository } from './lecturer.repository.js';
import { lecturer as resource } from './lecturer.schema.js';
import type {
  LecturerCreate,
  LecturerDeclaration,
  LecturerListQuery,
  LecturerPatch,
  LecturerRow,
} from './lecturer.schema.js';

/** Members by which a lecturer is linked to a member of the site. */
type Linked = Pick<LecturerCreate, 'member_id' | 'email'>;

/** The member of an event of auth. */
interface Member extends Pick<Principal, 'member_id' | 'roles'> {
  readonly email: string;
  /** Texts that named a member who is removed. */
  readonly former: readonly string[];
}

@Injectable()
export class LecturerService {
  /** Notified when the name of a lecturer changes, which objects of other features show. */
  readonly renamed = new Followers<Pick<Lecturer, 'site_id' | 'id'>>();
  readonly #lecturers: SiteStore<Lecturer, typeof lecturerEvents>;
  /** The public list shows biographies. */
  readonly #visible: SiteStore<Lecturer, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: LecturerRepository,
    private readonly outbox: Outbox,
    private readonly pictures: PictureService,
  ) {
    this.#lecturers = stores.of({
      entity: Lecturer,
      resource,
      computed: { url_part: urlPart('lecturer', 'lecturers'), avatar_file_id: pictureFile('lecturer_id', 'lecturers') },
      fence: ofOwnProfile,
      unique: { lecturers_slug: 'slug', lecturers_external_id: 'external_id' },
      events: lecturerEvents,
      data: ({ id: lecturer_id, site_id, slug, name, title, avatar_url, visible, member_id }, event) => ({
        lecturer_id,
        site_id,
        slug,
        name,
        title,
        avatar_url,
        state: event === 'deleted' ? 'deleted' : visible ? 'visible' : 'hidden',
        member_id,
      }),
    });
    this.#visible = stores.of({
      entity: Lecturer,
      resource: copyOf(resource, { details: [] }),
      fence: () => ({ condition: 'visible' }),
    });
  }

  list(caller: Caller, query: LecturerListQuery): Promise<Page<Lecturer>> {
    return this.#lecturers.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Lecturer> {
    return this.#lecturers.get(caller, id);
  }

  /** Lists visible lecturers in the order of their names. */
  listVisible(
    site: OfSite,
    query: { readonly q: string | undefined; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<Lecturer>> {
    return this.#visible.list(site, { ...query, sort: 'name', include_total: false });
  }

  async create(caller: Caller, input: LecturerCreate, tx: EntityManager): Promise<Created<Lecturer>> {
    requireAdministrator(caller, 'add lecturers');
    const made = await this.#lecturers.insert(tx, caller, await this.#rowOf(caller, input, tx), 'created');
    await this.#show(tx, caller, made.row, input.avatar_file_id ?? undefined);
    return made;
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<LecturerCreate, LecturerPatch>): Promise<Created<Lecturer>> {
    requireAdministrator(principal, 'add lecturers');
    const values = await this.#rowOf(principal, body, tx);
    let before: Lecturer | undefined;
    let avatar_file_id: string | null | undefined = body.avatar_file_id ?? undefined;
    const written = await this.#lecturers.upsert(tx, principal, key, {
      create: () => values,
      decide: (lecturer) => {
        before = lecturer;
        const update = updated(lecturer, this.pictures.settled(principal, 'lecturer_id', patch, lecturer));
        avatar_file_id = update?.changes.avatar_file_id;
        return update && { ...update, with: () => this.#link(tx, principal, [{ row: lecturer, ...update }]) };
      },
    });
    await this.#show(tx, principal, written.row, avatar_file_id);
    await this.#notify(tx, before, written.row);
    return written;
  }

  /** A teacher changes the own profile, but neither its member nor its address: a role event links by the address. */
  async patch(caller: Caller, key: Key, patch: LecturerPatch, tx: EntityManager): Promise<Written<Lecturer>> {
    let before: Lecturer | undefined;
    if (typeof patch.email === 'string') await this.repository.lockLinks(tx, caller);
    const written = await this.#lecturers.change(tx, caller, key, (row) => {
      before = row;
      const update = updated(row, this.pictures.settled(caller, 'lecturer_id', patch, row));
      if (update === undefined) return undefined;
      if (update.changes.email !== undefined) requireAdministrator(caller, 'set the email of a lecturer');
      if (update.changes.member_id !== undefined) requireAdministrator(caller, 'set the member of a lecturer');
      return { ...update, with: () => this.#refer(tx, caller, row, update.changes) };
    });
    if (written.changed) await this.#notify(tx, before, written.row);
    return written;
  }

  /** Returns the lecturers with one of the values of a unique member. */
  findBy(
    caller: Caller,
    member: 'slug' | 'external_id',
    values: readonly string[],
    tx?: EntityManager,
  ): Promise<Lecturer[]> {
    return this.#lecturers.findBy(caller, member, values, tx);
  }

  changesOf(caller: Caller, row: Lecturer, patch: LecturerPatch): Partial<Lecturer> | undefined {
    return updated(row, this.pictures.settled(caller, 'lecturer_id', patch, row))?.changes;
  }

  /** Call it before `createAll` and `patchAll` of one transaction: a role event changes many lecturers as well. */
  lockForImport(site: OfSite, tx: EntityManager): Promise<void> {
    return this.repository.lockLinks(tx, site);
  }

  /** Creates many lecturers as `create` does, with one statement. */
  async createAll(
    caller: Caller,
    items: readonly LecturerRow[],
    tx: EntityManager,
  ): Promise<readonly (Created<Lecturer> | ApiError)[]> {
    requireAdministrator(caller, 'add lecturers');
    const list = items.map((item) => ({ ...item, member_id: null }));
    return this.#lecturers.insertAll(tx, caller, await this.#rowsOf(caller, list, tx), 'created');
  }

  /** Changes different lecturers as `patch` does, with one statement. */
  async patchAll(
    caller: Caller,
    items: readonly { readonly id: string; readonly patch: Partial<LecturerRow> }[],
    tx: EntityManager,
  ): Promise<readonly (Written<Lecturer> | ApiError)[]> {
    requireAdministrator(caller, 'change lecturers');
    const renamed = new Set<string>();
    const written = await this.#lecturers.changeAll(tx, caller, items, {
      event: 'updated',
      changesOf: (row, index) => this.changesOf(caller, row, items[index]?.patch ?? {}),
      with: async (changes) => {
        for (const { row, changes: one } of changes) if (one.name !== undefined) renamed.add(row.id);
        const pictures = changes.flatMap(({ row: { id }, changes: { avatar_file_id: file_id } }) =>
          file_id === undefined ? [] : [{ id, file_id }],
        );
        await this.#link(tx, caller, changes);
        await this.pictures.useAll(tx, caller, 'lecturer_id', pictures);
      },
    });
    for (const one of written) {
      if (!(one instanceof ApiError) && renamed.has(one.row.id)) await this.renamed.notify(tx, one.row);
    }
    return written;
  }

  async #refer(tx: EntityManager, caller: Caller, lecturer: Lecturer, changes: Partial<Lecturer>): Promise<void> {
    if (changes.member_id !== undefined) await this.#requireMember(caller, changes.member_id, tx);
    await this.#link(tx, caller, [{ row: lecturer, changes }]);
    await this.#show(tx, caller, lecturer, changes.avatar_file_id);
  }

  /** Adds the members of new addresses to the changes of lecturers without one. The caller has locked the links. */
  async #link(tx: EntityManager, site: OfSite, list: readonly RowChange<Lecturer>[]): Promise<void> {
    const open = list.filter(({ row, changes }) => row.member_id === null && changes.member_id === undefined);
    const addresses = open.flatMap(({ changes: { email } }) => email ?? []);
    const teachers = await this.repository.teachersOf(tx, site, addresses);
    for (const { changes } of open) {
      const member_id = teachers.get(changes.email ?? '');
      if (member_id !== undefined) changes.member_id = member_id;
    }
  }

  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Lecturer>> {
    // A lecturer beyond the fence is not found, also for a caller who may delete none.
    const row = await this.#lecturers.lock(tx, caller, key.id);
    requireAdministrator(caller, 'delete lecturers');
    this.#lecturers.requireMatch(row, key);
    await this.repository.leaveCourses(tx, row);
    return this.#lecturers.remove(tx, caller, key);
  }

  /** Returns the name of a lecturer of the site, without the fence. */
  async nameOf({ site_id }: OfSite, id: string, tx: EntityManager): Promise<string | undefined> {
    return (await this.#lecturers.findLocked(tx, { site_id }, { id }))?.name;
  }

  /** Creates the lecturer unless the site has one of that slug. */
  declare(site: OfSite, declared: LecturerDeclaration): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      const known = await this.#lecturers.findLocked(tx, site, { slug: declared.slug });
      if (known === undefined) await this.create(site, resource.create.parse(declared), tx);
    });
  }

  /** A lecturer becomes the member of the address who has a teaching role, and stays it while that member may teach. */
  async followRole({ site_id }: OfSite, member: Member, tx: EntityManager): Promise<void> {
    const changed = isErasedEmail(member.email) ? ['email', 'member_id'] : ['member_id'];
    for (const row of await this.#followed(tx, { ...member, site_id }))
      await this.#lecturers.publish(tx, row, 'updated', undefined, changed);
  }

  republication(): Republication<typeof lecturerEvents> {
    return this.#lecturers.republication();
  }

  async #followed(tx: EntityManager, member: Member & OfSite): Promise<readonly Lecturer[]> {
    if (isErasedEmail(member.email)) return this.repository.forget(tx, member);
    if (isTeacher(member)) return this.repository.link(tx, member);
    return mayBeLecturer(member) ? [] : this.repository.unlink(tx, member);
  }

  /** Makes a locked lecturer use another file as the picture. Undefined: the file stays. */
  async #show(tx: EntityManager, caller: Caller, row: Lecturer, file_id: string | null | undefined): Promise<void> {
    if (file_id === undefined) return;
    await this.pictures.use(tx, caller, 'lecturer_id', row.id, file_id);
    row.avatar_file_id = file_id;
  }

  async #notify(tx: EntityManager, before: Lecturer | undefined, after: Lecturer): Promise<void> {
    if (before !== undefined && before.name !== after.name) await this.renamed.notify(tx, after);
  }

  /** The columns of a new lecturer. @throws `validation_failed` for a member who may not teach */
  async #rowOf<Input extends Linked>(site: OfSite, input: Input, tx: EntityManager): Promise<Input> {
    await this.#requireMember(site, input.member_id, tx);
    const [row = input] = await this.#rowsOf(site, [input], tx);
    return row;
  }

  /** The columns of new lecturers. Without a member, it is the one whom auth has announced under the address. */
  async #rowsOf<Input extends Linked>(site: OfSite, list: readonly Input[], tx: EntityManager): Promise<Input[]> {
    const addresses = list.flatMap(({ member_id, email }) => (member_id === null ? (email ?? []) : []));
    if (addresses.length > 0) await this.repository.lockLinks(tx, site);
    const teachers = await this.repository.teachersOf(tx, site, addresses);
    return list.map((input) => {
      const values = this.pictures.settled(site, 'lecturer_id', input);
      if (input.member_id !== null || input.email === null) return values;
      return { ...values, member_id: teachers.get(input.email) ?? null };
    });
  }

  async #requireMember(site: OfSite, member_id: string | null, tx: EntityManager): Promise<void> {
    if (member_id === null || (await this.repository.hasMember(tx, site, member_id))) return;
    throw new ApiError('validation_failed', 'This site has no such member who may teach', {
      errors: [{ pointer: '/member_id', code: 'not_found', detail: 'A member with a role beyond student' }],
    });
  }
}

function updated(lecturer: Lecturer, patch: LecturerPatch) {
  const changes = changedColumns(lecturer, patch, resource);
  return changes && { event: 'updated' as const, changes: { ...changes, ...linkOf(changes) } };
}
