import { z } from 'zod';
import { roleSchema } from '../platform/principal.js';
import { defineRequest } from '../platform/request.js';
import { CORNERS, FONT_FAMILIES } from './theme.js';

const text = z.string().nullable();

/** As typed in a form. The service judges them by the rules of its API. */
const theme = z.object({
  background_color: text,
  surface_color: text,
  text_color: text,
  accent_color: text,
  font_family: text,
  corners: text,
});

const school = z.object({ name: z.string(), locale: text, timezone: text });
const pictures = z.object({ logo_url: text, favicon_url: text });
const files = { logo_file_id: text, favicon_file_id: text };

/** The settings of the site of the request. Forbidden unless a role of the caller is owner or admin. */
export const getSiteSettings = defineRequest({
  service: 'admin-api',
  name: 'get_site_settings',
  version: 1,
  input: z.object({ roles: z.array(roleSchema) }),
  output: z.object({
    /** `version` identifies the state that a change is made from. */
    school: school.extend({ version: z.int() }),
    appearance: pictures.extend({
      version: z.int(),
      theme: theme.extend({ font_family: z.enum(FONT_FAMILIES).nullable(), corners: z.enum(CORNERS).nullable() }),
    }),
  }),
});

/** The member who makes a change, and the version of the settings that it is made from. */
const change = z.object({
  person_id: z.uuid(),
  member_id: z.uuid(),
  roles: z.array(roleSchema),
  version: z.int(),
});
const changed = z.object({ version: z.int() });

/**
 * Changes the school of the site of the request, as `PATCH /school` does. `precondition_failed` for another version;
 * the pointers of `validation_failed` begin at the patch.
 */
export const changeSchool = defineRequest({
  service: 'admin-api',
  name: 'change_school',
  version: 1,
  input: change.extend({ patch: school.partial() }),
  output: changed,
});

/** Changes the appearance of the site of the request, as `PATCH /appearance` does. Errors as of `changeSchool`. */
export const changeAppearance = defineRequest({
  service: 'admin-api',
  name: 'change_appearance',
  version: 1,
  input: change.extend({ patch: pictures.extend({ ...files, theme: theme.partial() }).partial() }),
  output: changed,
});

/** Bytes of a picture that a page sends. In base64 it stays below the 1 MiB of a message of NATS. */
export const PAGE_PICTURE_BYTES = 512 * 1024;

/**
 * Stores a picture as a file of the member for `changeAppearance`. A file of the member with the same bytes is taken
 * again. `forbidden` unless a role is owner or admin; `quota_exceeded` without room.
 */
export const storePicture = defineRequest({
  service: 'admin-api',
  name: 'store_picture',
  version: 1,
  input: change.omit({ version: true }).extend({
    filename: z.string(),
    content_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    content: z
      .base64()
      .min(4)
      .max(Math.ceil(PAGE_PICTURE_BYTES / 3) * 4),
  }),
  output: z.object({
    /** Null for a rejected picture. */
    file_id: z.uuid().nullable(),
    /** The reason, such as `damaged_image`. */
    rejection: text,
  }),
});

export const SITE_SETTINGS_REQUESTS = [getSiteSettings, changeSchool, changeAppearance, storePicture] as const;
