import type { Key, Written } from '@lyceum/collections';
import { appearanceEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Pager, changedColumns, requirePreconditions } from '@lyceum/rest';
import type { Page, Preconditions } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { publicPath } from '#src/files/file-use.policy.js';
import { FileUses } from '#src/files/file-uses.js';
import { SchoolService } from '#src/school/school.service.js';
import { filesOf, onePictureEach, requireReadable, wholeSettings } from './appearance.policy.js';
import { AppearanceRepository } from './appearance.repository.js';
import type { Appearance, AppearanceChange, Author, Revision } from './appearance.repository.js';
import { appearance } from './appearance.schema.js';
import type { AppearancePatch, RevisionListQuery } from './appearance.schema.js';

interface Change extends Preconditions {
  readonly patch: AppearancePatch;
}

/** `client_id` of the revisions that pages of the admin area make. */
export const PAGES = 'admin-area';

interface AtSite {
  readonly base_url: string;
}
export type ShownAppearance = Appearance & AtSite;
export type ShownRevision = Revision & AtSite;

@Injectable()
export class AppearanceService {
  constructor(
    private readonly appearances: AppearanceRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
    private readonly files: FileUses,
    private readonly schools: SchoolService,
  ) {}

  async get({ site_id }: Pick<Principal, 'site_id'>): Promise<ShownAppearance> {
    const found = await this.appearances.find({ site_id });
    return this.#shown({ site_id }, found ?? { site_id, version: 0, settings: wholeSettings({}), updated_at: null });
  }

  async revisions(principal: Principal, query: RevisionListQuery): Promise<Page<ShownRevision>> {
    const list = { collection: 'appearance_revisions', site_id: principal.site_id };
    const page = await this.pager.page(list, query, (after) => this.appearances.revisions(principal, query, after));
    return { ...page, rows: page.rows.map((row) => this.#shown(principal, row)) };
  }

  async patch(principal: Author, change: Change, tx: EntityManager): Promise<Written<ShownAppearance>> {
    const { base_url } = this.schools.site(principal);
    const { row, changed } = await this.#patch(principal, { ...change, base_url }, tx);
    return { row: this.#shown(principal, row), changed };
  }

  async #patch(
    principal: Author,
    { patch, base_url, ...conditions }: Change & AtSite,
    tx: EntityManager,
  ): Promise<Written<Appearance>> {
    const current = await this.appearances.lock(tx, principal);
    requirePreconditions(current.version, conditions);
    const changes = changedColumns(current.settings, onePictureEach(current.settings, patch, base_url), appearance);
    const settings = { ...current.settings, ...changes };
    requireReadable(settings.theme, patch.theme ?? {});
    return changes === undefined
      ? { row: current, changed: false }
      : this.#save(tx, principal, { settings, restored_from: null }, changes);
  }

  /** Makes all settings of a revision current, as a new revision. */
  async restore(
    principal: Principal,
    { id, ...conditions }: Key,
    tx: EntityManager,
  ): Promise<Written<ShownAppearance>> {
    const current = await this.appearances.lock(tx, principal);
    const revision = await this.appearances.revision(tx, principal, id);
    if (revision === undefined) throw new ApiError('not_found', 'This site has no such revision');
    requirePreconditions(current.version, conditions);
    const { settings } = revision;
    // The rule may be stricter now than when the revision was made.
    requireReadable(settings.theme, settings.theme);
    const changes = changedColumns(current.settings, settings, appearance);
    const { row, changed } =
      changes === undefined
        ? { row: current, changed: false }
        : await this.#save(tx, principal, { settings, restored_from: id }, changes);
    return { row: this.#shown(principal, row), changed };
  }

  /** Sets the appearance of a site that never changed it. */
  declare(principal: Principal, declared: AppearancePatch): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      const { version } = await this.appearances.lock(tx, principal);
      // Subcommands know no origins. A site without settings shows none, so its pictures have no address yet.
      if (version === 0) await this.#patch(principal, { patch: declared, base_url: '' }, tx);
    });
  }

  republication(): Republication<typeof appearanceEvents> {
    return {
      events: appearanceEvents,
      batch: async (tx, after, limit) => {
        const found = await this.appearances.share(tx, after, limit);
        return found.map((appearance) => ({ key: [appearance.site_id], event: toEvent(appearance) }));
      },
    };
  }

  /** With the origin of the site, where its files are. */
  #shown<Row extends object>(site: Pick<Principal, 'site_id'>, row: Row): Row & AtSite {
    return { ...row, base_url: this.schools.site(site).base_url };
  }

  async #save(
    tx: EntityManager,
    principal: Author,
    change: AppearanceChange,
    changes: object,
  ): Promise<Written<Appearance>> {
    const { revision_id, ...row } = await this.appearances.save(tx, principal, change);
    const files = filesOf(change.settings);
    // The revision with the same settings as the appearance uses its files, and keeps them as long as it exists.
    if (files.length > 0)
      await this.files.replace(tx, principal, 'appearance_revision_id', [{ id: revision_id, files }]);
    // After the use of the files begins: the oldest revision may be the last one that uses them.
    await this.appearances.forget(tx, row);
    await this.outbox.add(tx, appearanceEvents, 'updated', { ...toEvent(row), changed: Object.keys(changes) });
    return { row, changed: true };
  }
}

function toEvent({ site_id, version, settings }: Appearance): NewEvent<typeof appearanceEvents> {
  const { logo_file_id, favicon_file_id, ...others } = settings;
  const paths = { logo_path: pathOf(logo_file_id), favicon_path: pathOf(favicon_file_id) };
  return { aggregate_id: site_id, aggregate_version: version, site_id, data: { site_id, ...others, ...paths } };
}

function pathOf(file_id: string | null): string | null {
  return file_id === null ? null : publicPath(file_id);
}
