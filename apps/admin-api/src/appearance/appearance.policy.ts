import { NO_THEME, TEXT_CONTRAST, appearanceEvents, unreadablePairs, wholeTheme } from '@lyceum/contracts';
import type { Theme } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { z } from 'zod';
import { publicPath } from '#src/files/file-use.policy.js';
import type { FileUse } from '#src/files/file-use.policy.js';

const file_id = z.uuid().nullable();

const settingsSchema = appearanceEvents.data
  .omit({ site_id: true, logo_path: true, favicon_path: true })
  .extend({ logo_file_id: file_id, favicon_file_id: file_id });

/** All settings of the appearance of a site. */
export type AppearanceSettings = z.infer<typeof settingsSchema>;

const NOTHING: AppearanceSettings = {
  theme: NO_THEME,
  logo_url: null,
  favicon_url: null,
  logo_file_id: null,
  favicon_file_id: null,
  navigation: [],
  footer: [],
};

const PICTURES = ['logo', 'favicon'] as const;
type Pictures = Pick<AppearanceSettings, 'logo_url' | 'favicon_url' | 'logo_file_id' | 'favicon_file_id'>;
type PicturePatch = { readonly [K in keyof Pictures]?: Pictures[K] | undefined };

/** The files of settings. */
export function filesOf(settings: Pictures): readonly FileUse[] {
  return PICTURES.flatMap((picture) => {
    const file_id = settings[`${picture}_file_id`];
    return file_id === null ? [] : [{ file_id, pointer: `/${picture}_file_id`, purpose: 'logo' as const }];
  });
}

/** The address of a picture: that of its file at the site, or the one elsewhere that the settings name. */
export function pictureUrl(settings: Pictures, picture: (typeof PICTURES)[number], base_url: string): string | null {
  const file_id = settings[`${picture}_file_id`];
  return file_id === null ? settings[`${picture}_url`] : `${base_url}${publicPath(file_id)}`;
}

/**
 * Each picture has a URL or a file: a request that sets one of them clears the other one. A URL that the object showed
 * for its file is no other one.
 *
 * @throws `validation_failed` for both in one request
 */
export function onePictureEach<P extends PicturePatch>(
  current: Pictures,
  patch: P,
  base_url: string,
): P & PicturePatch {
  const changes = PICTURES.map((picture) => {
    const [url, file] = [`${picture}_url`, `${picture}_file_id`] as const;
    const wanted = { ...current, ...(patch[file] !== undefined && { [file]: patch[file] }) };
    if (patch[url] === undefined) return patch[file] ? { [url]: null } : {};
    if (patch[url] === null) return patch[file] ? {} : { [file]: null };
    if (patch[url] === pictureUrl(wanted, picture, base_url)) return wanted[file] === null ? {} : { [url]: null };
    if (patch[file]) {
      const detail = `A ${picture} has either a URL or a file, not both`;
      throw new ApiError('validation_failed', detail, {
        errors: [{ pointer: `/${url}`, code: 'invalid_value', detail }],
      });
    }
    return { [file]: null };
  });
  return Object.assign({}, patch, ...changes) as P & PicturePatch;
}

/**
 * Stored settings, in the order of the schema: jsonb has an order of its own. They may lack a member that was added
 * later, and have one that a newer release of the service wrote.
 */
export function wholeSettings(stored: Partial<AppearanceSettings>): AppearanceSettings {
  return settingsSchema.parse({ ...NOTHING, ...stored, theme: wholeTheme(stored.theme) });
}

/**
 * Refuses a theme with unreadable text (WCAG 2.2, 1.4.3). The error points at a color that the request sets, if either
 * color of the pair is one.
 */
export function requireReadable(theme: Theme, set: object): void {
  const errors = unreadablePairs(theme).map(({ text, ground, ratio }) => ({
    pointer: `/theme/${text in set || !(ground in set) ? text : ground}`,
    code: 'low_contrast' as const,
    detail: `${text} on ${ground} reaches ${floored(ratio)}:1, and ${TEXT_CONTRAST}:1 is needed`,
  }));
  if (errors.length > 0) {
    throw new ApiError('validation_failed', `Color contrast is below ${TEXT_CONTRAST}:1 (WCAG 2.2 AA)`, { errors });
  }
}

/** Never rounded up: 4.499 is not shown as 4.5. */
function floored(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
