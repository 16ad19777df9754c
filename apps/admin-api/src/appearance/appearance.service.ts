import { appearanceEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Pager, requireMatch } from '@lyceum/rest';
import type { Page, Written } from '@lyceum/rest';
import { isSame, patched, requireReadable, wholeSettings } from './appearance.policy.js';
import { AppearanceRepository } from './appearance.repository.js';
import type { Appearance, AppearanceChange, Revision } from './appearance.repository.js';
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
    change: { readonly patch: AppearancePatch; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Appearance>> {
    const current = await this.appearances.lock(tx, principal);
    requireMatch(current.version, change.ifMatch);
    const settings = patched(current.settings, change.patch);
    requireReadable(settings.theme, change.patch.theme ?? {});
    return this.#save(tx, principal, current, { settings, restored_from: null });
  }

  /** As it was then: all of it, under a new revision. */
  async restore(
    principal: Principal,
    change: { readonly id: string; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Appearance>> {
    const current = await this.appearances.lock(tx, principal);
    const revision = await this.appearances.revision(tx, principal, change.id);
    if (revision === undefined) throw new Outcome('not_found', 'There is no such revision at this site');
    requireMatch(current.version, change.ifMatch);
    const { settings, id } = revision;
    // What was good once may be short of what is asked for now.
    requireReadable(settings.theme, settings.theme);
    return this.#save(tx, principal, current, { settings, restored_from: id });
  }

  /** Says it unless the site has set something already. */
  declare(principal: Principal, declared: AppearancePatch): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      const { version } = await this.appearances.lock(tx, principal);
      if (version === 0) await this.patch(principal, { patch: declared, ifMatch: undefined }, tx);
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
    current: Appearance,
    change: AppearanceChange,
  ): Promise<Written<Appearance>> {
    if (isSame(current.settings, change.settings)) return { row: current, changed: false };
    const saved = await this.appearances.save(tx, principal, change);
    await this.outbox.add(tx, appearanceEvents, 'updated', toEvent(saved));
    return { row: saved, changed: true };
  }
}

function toEvent({ site_id, version, settings }: Appearance): NewEvent<typeof appearanceEvents> {
  return { aggregate_id: site_id, aggregate_version: version, site_id, data: { site_id, ...settings } };
}
