import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { announcementEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators, requireAdministrator } from '#src/access/administrator.policy.js';
import { CourseService } from '#src/courses/course.service.js';
import { requireReferences } from '#src/references/references.js';
import { Announcement } from './announcement.entity.js';
import { moveOf, requireOneAudience, requireTime, requireUnsent } from './announcement.policy.js';
import type { AnnouncementMove } from './announcement.policy.js';
import { AnnouncementRepository } from './announcement.repository.js';
import { announcement as resource } from './announcement.schema.js';
import type { AnnouncementCreate, AnnouncementListQuery, AnnouncementPatch } from './announcement.schema.js';

/** Messages of owners and admins to members. The member API notifies members of the event `sent`. */
@Injectable()
export class AnnouncementService {
  readonly #announcements: SiteStore<Announcement, typeof announcementEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: AnnouncementRepository,
    private readonly outbox: Outbox,
    courses: CourseService,
  ) {
    this.#announcements = stores.of({
      entity: Announcement,
      resource,
      fence: forAdministrators('manage announcements'),
      unique: { announcements_external_id: 'external_id' },
      events: announcementEvents,
      data: (row, name) => ({
        announcement_id: row.id,
        site_id: row.site_id,
        course_id: row.course_id,
        membership_plan_id: row.membership_plan_id,
        purpose: row.purpose,
        title: row.title,
        body: row.body,
        path: row.path,
        state: name === 'deleted' ? 'deleted' : row.state,
        sent_at: iso(row.sent_at),
        recipients_count: row.recipients_count,
      }),
    });
    courses.removing.add(async (tx, course) => {
      if (!(await this.repository.hasAnnouncements(tx, course))) return;
      throw new ApiError('resource_in_use', 'Announcements belong to the course', {
        hint: 'Delete those that are not sent, or archive the course instead',
      });
    });
  }

  list(caller: Caller, query: AnnouncementListQuery): Promise<Page<Announcement>> {
    return this.#announcements.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Announcement> {
    return this.#announcements.get(caller, id);
  }

  async create(caller: Caller, input: AnnouncementCreate, tx: EntityManager): Promise<Created<Announcement>> {
    requireAdministrator(caller, 'manage announcements');
    requireOneAudience(input);
    await requireReferences(tx, caller, input);
    return this.#announcements.insert(tx, caller, { ...input, state: 'draft' }, 'created');
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<AnnouncementCreate, AnnouncementPatch>): Promise<Created<Announcement>> {
    requireAdministrator(principal, 'manage announcements');
    await requireReferences(tx, principal, patch);
    return this.#announcements.upsert(tx, principal, key, {
      create: () => {
        requireOneAudience(body);
        return { ...body, state: 'draft' };
      },
      decide: (announcement) => updated(announcement, patch),
    });
  }

  patch(caller: Caller, key: Key, patch: AnnouncementPatch, tx: EntityManager): Promise<Written<Announcement>> {
    return this.#announcements.change(tx, caller, key, (row) => {
      const update = updated(row, patch);
      return update && { ...update, with: () => requireReferences(tx, caller, update.changes) };
    });
  }

  move(caller: Caller, key: Key, name: AnnouncementMove, tx: EntityManager): Promise<Written<Announcement>> {
    return this.#announcements.change(tx, caller, key, (announcement) => {
      const move = moveOf(announcement, name, new Date());
      if (move === undefined || name === 'unschedule') return move;
      return { ...move, with: () => this.#requireSeenCourse(tx, announcement) };
    });
  }

  /** @throws `invalid_state` for an announcement that is sent */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Announcement>> {
    const row = await this.#announcements.lock(tx, caller, key.id);
    this.#announcements.requireMatch(row, key);
    requireUnsent(row);
    return this.#announcements.remove(tx, caller, key);
  }

  /** Sends at most `limit` scheduled announcements whose time has come. Returns the number of them it read. */
  async followClock(limit: number): Promise<number> {
    const due = await this.repository.due(new Date(), limit);
    for (const { site_id, id } of due) {
      await this.outbox.transaction(async (tx) => {
        const now = new Date();
        const row = await this.#announcements.findLocked(tx, { site_id }, { id });
        // Another replica may have been quicker, or an operator may have just changed or deleted the announcement.
        if (row?.state !== 'scheduled' || row.sends_at === null || row.sends_at > now) return;
        await this.#announcements.change(tx, { site_id }, row, () => moveOf(row, 'send', now));
      });
    }
    return due.length;
  }

  /** An announcement of a deleted site is missing, and so is one that a restore has lost: nothing is recorded then. */
  recordRecipients(
    tx: EntityManager,
    { recipients_count, ...key }: Pick<Announcement, 'site_id' | 'id'> & { readonly recipients_count: number },
  ): Promise<void> {
    return this.repository.recordRecipients(tx, key, recipients_count);
  }

  republication(): Republication<typeof announcementEvents> {
    return this.#announcements.republication();
  }

  /** The members of a draft do not see it. @throws `invalid_state` */
  async #requireSeenCourse(tx: EntityManager, announcement: Announcement): Promise<void> {
    if (!(await this.repository.isOfDraft(tx, announcement))) return;
    throw new ApiError('invalid_state', 'The course of the announcement is a draft', {
      errors: [{ pointer: '/course_id', code: 'invalid_state', detail: 'A course that is published' }],
      hint: 'Publish the course first',
    });
  }
}

function updated(announcement: Announcement, patch: AnnouncementPatch) {
  requireUnsent(announcement);
  const changes = changedColumns(announcement, patch, resource);
  if (changes === undefined) return undefined;
  const { course_id = announcement.course_id, membership_plan_id = announcement.membership_plan_id } = changes;
  requireOneAudience({ course_id, membership_plan_id });
  if (changes.sends_at !== undefined) requireTime(changes.sends_at, announcement, new Date());
  return { event: 'updated' as const, changes };
}
