import type { Key, Written } from '@lyceum/collections';
import { appearanceEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Pager, changedColumns, requireMatch } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireReadable, wholeSettings } from './appearance.policy.js';
import { AppearanceRepository } from './appearance.repository.js';
import type { Appearance, AppearanceChange, Revision } from './appearance.repository.js';
import { appearance } from './appearance.schema.js';
import type { AppearancePatch, RevisionListQuery } from './appearance.schema.js';

@Injectable()
export class AppearanceService {
  constructor(
    private readonly appearances: AppearanceRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  async get({ site_id }: Principal): Promise<Appearance> {
    const found = await this.appearances.find({ site_id });
    return found ?? { site_id, version: 0, settings: wholeSettings({}), updated_at: null };
  }

  revisions(principal: Principal, query: RevisionListQuery): Promise<Page<Revision>> {
    const list = { collection: 'appearance_revisions', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.appearances.revisions(principal, query, after));
  }

  async patch(
    principal: Principal,
    { patch, ifMatch }: { readonly patch: AppearancePatch; readonly ifMatch?: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Appearance>> {
    const current = await this.appearances.lock(tx, principal);
    requireMatch(current.version, ifMatch);
    const changes = changedColumns(current.settings, patch, appearance);
    const settings = { ...current.settings, ...changes };
    requireReadable(settings.theme, patch.theme ?? {});
    return changes === undefined
      ? { row: current, changed: false }
      : this.#save(tx, principal, { settings, restored_from: null }, changes);
  }

  /** Makes all settings of a revision current, as a new revision. */
  async restore(principal: Principal, { id, ifMatch }: Key, tx: EntityManager): Promise<Written<Appearance>> {
    const current = await this.appearances.lock(tx, principal);
    const revision = await this.appearances.revision(tx, principal, id);
    if (revision === undefined) throw new ApiError('not_found', 'This site has no such revision');
    requireMatch(current.version, ifMatch);
    const { settings } = revision;
    // The rule may be stricter now than when the revision was made.
    requireReadable(settings.theme, settings.theme);
    const changes = changedColumns(current.settings, settings, appearance);
    return changes === undefined
      ? { row: current, changed: false }
      : this.#save(tx, principal, { settings, restored_from: id }, changes);
  }

  /** Sets the appearance of a site that never changed it. */
  declare(principal: Principal, declared: AppearancePatch): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      const { version } = await this.appearances.lock(tx, principal);
      if (version === 0) await this.patch(principal, { patch: declared }, tx);
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

  async #save(
    tx: EntityManager,
    principal: Principal,
    change: AppearanceChange,
    changes: object,
  ): Promise<Written<Appearance>> {
    const row = await this.appearances.save(tx, principal, change);
    await this.outbox.add(tx, appearanceEvents, 'updated', { ...toEvent(row), changed: Object.keys(changes) });
    return { row, changed: true };
  }
}

function toEvent({ site_id, version, settings }: Appearance): NewEvent<typeof appearanceEvents> {
  return { aggregate_id: site_id, aggregate_version: version, site_id, data: { site_id, ...settings } };
}
