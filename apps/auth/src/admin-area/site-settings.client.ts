import { Injectable } from '@nestjs/common';
import { changeAppearance, changeSchool, getSiteSettings } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { formChanges, isStaleForm } from '#src/pages/form-base.js';
import { lookFields, lookPatch } from './look.policy.js';
import type { LookFields, SettingFault } from './look.policy.js';
import { schoolFields, schoolPatch } from './school-form.policy.js';
import type { SchoolFields } from './school-form.policy.js';

/** The settings as form fields, with the versions that changes are made from. */
export interface StoredSettings {
  readonly school: { readonly version: number; readonly fields: SchoolFields };
  readonly look: { readonly version: number; readonly fields: LookFields };
}

/** A form as it was sent, and the digests of the values that it was made from. */
export interface SentForm<Fields> {
  readonly base: string | undefined;
  readonly given: Fields;
}

export type SaveResult = 'saved' | 'stale' | 'unavailable' | { readonly faults: readonly SettingFault[] };

const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'temporarily_unavailable';

/** Reads and changes the settings that admin-api keeps: name, languages and appearance. */
@Injectable()
export class SiteSettingsClient {
  constructor(private readonly requests: Requests) {}

  /** Undefined while admin-api cannot be reached. */
  async read(context: AccountContext): Promise<StoredSettings | undefined> {
    try {
      return await this.#read(context);
    } catch (error) {
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  saveSchool(context: AccountContext, { base, given }: SentForm<SchoolFields>): Promise<SaveResult> {
    return this.#save(context, async ({ school }) => {
      const changes = formChanges(base, given, school.fields);
      if (Object.keys(changes).length === 0) return;
      const input = { ...author(context), version: school.version, patch: schoolPatch(changes) };
      await this.requests.request(changeSchool, input, context.site);
    });
  }

  saveLook(context: AccountContext, { base, given }: SentForm<LookFields>): Promise<SaveResult> {
    return this.#save(context, async ({ look }) => {
      const changes = formChanges(base, given, look.fields);
      if (Object.keys(changes).length === 0) return;
      const input = { ...author(context), version: look.version, patch: lookPatch(changes) };
      await this.requests.request(changeAppearance, input, context.site);
    });
  }

  async #read({ site, person }: AccountContext): Promise<StoredSettings> {
    const { school, appearance } = await this.requests.request(getSiteSettings, { roles: [...person.roles] }, site);
    return {
      school: { version: school.version, fields: schoolFields(school) },
      look: { version: appearance.version, fields: lookFields({ ...appearance.theme, ...appearance }) },
    };
  }

  async #save(context: AccountContext, change: (stored: StoredSettings) => Promise<void>): Promise<SaveResult> {
    try {
      await change(await this.#read(context));
      return 'saved';
    } catch (error) {
      if (isStaleForm(error)) return 'stale';
      if (isUnavailable(error)) return 'unavailable';
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      return { faults: error.errors.map(({ pointer = '', code }) => ({ field: lastOf(pointer), code })) };
    }
  }
}

const author = ({ person }: AccountContext) => ({
  person_id: person.person_id,
  member_id: person.member_id,
  roles: [...person.roles],
});

/** The last name of a JSON Pointer (RFC 6901), such as `accent_color` of `/theme/accent_color`. */
const lastOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1);
