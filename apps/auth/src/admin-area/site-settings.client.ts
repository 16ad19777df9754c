import { Injectable } from '@nestjs/common';
import { changeAppearance, changeSchool, getSiteSettings, storePicture } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { StoredImage } from '#src/images/image.policy.js';
import { formChanges, isStaleForm } from '#src/pages/form-base.js';
import { PICTURES, pictureControls } from './look-pictures.policy.js';
import type { ChosenPictures, PictureName } from './look-pictures.policy.js';
import { lookFields, lookPatch, withFiles } from './look.policy.js';
import type { LookFields, PictureFiles, SettingFault } from './look.policy.js';
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

interface SentLook extends SentForm<LookFields> {
  readonly chosen?: ChosenPictures;
}

/** Milliseconds. admin-api writes the picture to its store and decodes it. */
const PICTURE_MS = 10_000;

/** Thrown for a picture that admin-api does not accept. */
class RefusedPicture extends Error implements SettingFault {
  override readonly name = 'RefusedPicture';

  constructor(
    readonly field: string,
    readonly code: string,
  ) {
    super(`A picture was refused: ${code}`);
  }
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

  /** Chosen pictures become files of the site first. A form that is sent again gets the same files. */
  saveLook(context: AccountContext, { base, given, chosen = {} }: SentLook): Promise<SaveResult> {
    return this.#save(context, async ({ look }) => {
      const files = await this.#store(context, chosen);
      const changes = formChanges(base, withFiles(given, files, context.site.base_url), look.fields);
      if (Object.keys(changes).length === 0) return;
      const input = { ...author(context), version: look.version, patch: lookPatch(changes, files) };
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

  async #store(context: AccountContext, chosen: ChosenPictures): Promise<PictureFiles> {
    const files: Record<string, string> = {};
    for (const picture of PICTURES) {
      const image = chosen[picture];
      if (image !== undefined) files[pictureControls(picture).url] = await this.#file(context, picture, image);
    }
    return files;
  }

  /** @throws `RefusedPicture` */
  async #file(context: AccountContext, picture: PictureName, { type, bytes }: StoredImage): Promise<string> {
    const filename = `${picture}.${type.slice('image/'.length)}`;
    const input = { ...author(context), filename, content_type: type, content: bytes.toString('base64') };
    const options = { site_id: context.site.site_id, timeoutMs: PICTURE_MS };
    const { file } = pictureControls(picture);
    try {
      const { file_id, rejection } = await this.requests.request(storePicture, input, options);
      if (file_id !== null) return file_id;
      throw new RefusedPicture(file, rejection ?? 'damaged_image');
    } catch (error) {
      if (error instanceof ApiError && error.code === 'quota_exceeded') throw new RefusedPicture(file, error.code);
      throw error;
    }
  }

  async #save(context: AccountContext, change: (stored: StoredSettings) => Promise<void>): Promise<SaveResult> {
    try {
      await change(await this.#read(context));
      return 'saved';
    } catch (error) {
      if (error instanceof RefusedPicture) return { faults: [error] };
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
