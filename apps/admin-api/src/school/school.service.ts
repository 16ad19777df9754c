import type { Caller, Written } from '@lyceum/collections';
import { schoolEvents } from '@lyceum/contracts';
import type { OfSite, Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { SiteDirectory } from '@lyceum/resource-server';
import { changedColumns, requirePreconditions } from '@lyceum/rest';
import type { Preconditions } from '@lyceum/rest';
import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { wholeSettings, withSite } from './school.policy.js';
import { SchoolRepository } from './school.repository.js';
import type { School } from './school.repository.js';
import { school } from './school.schema.js';
import type { SchoolDeclaration, SchoolPatch, SchoolProfile } from './school.schema.js';

/** A school as callers see it. */
export interface ShownSchool extends School {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

interface SchoolChange extends Preconditions {
  readonly patch: SchoolPatch;
}

@Injectable()
export class SchoolService {
  constructor(
    private readonly schools: SchoolRepository,
    private readonly outbox: Outbox,
    // Subcommands run without the directory and show no profile.
    @Optional() private readonly sites?: SiteDirectory,
  ) {}

  async get(site: OfSite): Promise<ShownSchool> {
    return this.#shown((await this.schools.find(site)) ?? unsetSchool(site));
  }

  /** Returns the settings that visitors can read. */
  async profile(site: OfSite): Promise<SchoolProfile> {
    const { id, name, url, locale, timezone, currency, contact_email, support_url, legal } = await this.get(site);
    return { id, name, url, locale, timezone, currency, contact_email, support_url, legal };
  }

  /** The time zone of the school, or UTC. A request in a transaction takes no other connection. */
  async timeZone(site: OfSite, tx?: EntityManager): Promise<string> {
    return (await this.schools.timezone(site, tx)) ?? 'UTC';
  }

  /** The currency of prices. Null: the school has set none. */
  currency(site: OfSite, tx: EntityManager): Promise<string | null> {
    return this.schools.currency(site, tx);
  }

  /** The custom fields that members can have. They do not change until the transaction ends. */
  memberFields(site: OfSite, tx: EntityManager): Promise<School['member_fields']> {
    return this.schools.memberFields(site, tx);
  }

  /** The settings that decide about the periods of subscriptions. */
  async billing(site: OfSite, tx: EntityManager): Promise<{ readonly time_zone: string; readonly grace_days: number }> {
    const { timezone, subscription_grace_days } = (await this.schools.billing(site, tx)) ?? wholeSettings({});
    return { time_zone: timezone ?? 'UTC', grace_days: subscription_grace_days };
  }

  /** @throws `unknown_host` for a site that is not active. */
  site({ site_id }: OfSite): Site {
    const site = this.sites?.byId(site_id);
    if (site?.state !== 'active') throw new ApiError('unknown_host', 'This site does not exist');
    return site;
  }

  async patch(caller: Caller, change: SchoolChange, tx: EntityManager): Promise<Written<ShownSchool>> {
    requireAdministrator(caller, 'change the school');
    const { row, changed } = await this.#change(caller, change, tx);
    return { row: this.#shown(row), changed };
  }

  /** Stores settings for a school that never changed them. */
  declare(site: OfSite, { terms_url, privacy_url, ...declared }: SchoolDeclaration): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      const { version } = await this.schools.lock(tx, site);
      const patch = { ...declared, legal: { terms_url, privacy_url } };
      if (version === 0) await this.#change(site, { patch }, tx);
    });
  }

  republication(): Republication<typeof schoolEvents> {
    return {
      events: schoolEvents,
      batch: async (tx, after, limit) => {
        const found = await this.schools.share(tx, after, limit);
        return found.map((row) => ({ key: [row.site_id], event: toEvent(row) }));
      },
    };
  }

  async #change(site: OfSite, { patch, ...conditions }: SchoolChange, tx: EntityManager): Promise<Written<School>> {
    const current = await this.schools.lock(tx, site);
    requirePreconditions(current.version, conditions);
    const settings = wholeSettings(current);
    const changes = changedColumns(settings, patch, school);
    if (changes === undefined) return { row: current, changed: false };
    const row = await this.schools.save(tx, site, { ...settings, ...changes });
    await this.outbox.add(tx, schoolEvents, 'updated', { ...toEvent(row), changed: Object.keys(changes) });
    return { row, changed: true };
  }

  #shown(row: School): ShownSchool {
    const site = this.site(row);
    return { ...row, ...withSite(row, site), id: site.org_id, url: site.base_url };
  }
}

function unsetSchool({ site_id }: OfSite): School {
  return { ...wholeSettings({}), site_id, version: 0, updated_at: null };
}

function toEvent(row: School): NewEvent<typeof schoolEvents> {
  const { site_id, version } = row;
  return { aggregate_id: site_id, aggregate_version: version, site_id, data: { site_id, ...wholeSettings(row) } };
}
