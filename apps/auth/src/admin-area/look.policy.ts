import { DEFAULT_COLORS, themeSchema, unreadablePairs } from '@lyceum/contracts';
import type { ColorName, Theme } from '@lyceum/contracts';

export const COLOR_FIELDS = Object.keys(DEFAULT_COLORS) as readonly ColorName[];
export const PICTURE_FIELDS = ['logo_url', 'favicon_url'] as const;
export const LOOK_FIELDS = [...COLOR_FIELDS, 'font_family', 'corners', ...PICTURE_FIELDS] as const;
export type LookField = (typeof LOOK_FIELDS)[number];

/** The fields of the form as typed. Empty: the default of the platform, or no picture. */
export type LookFields = Readonly<Record<LookField, string>>;

export interface SettingFault {
  readonly field: string;
  /** A code of a field error, such as `low_contrast`. */
  readonly code: string;
}

/** The part of the appearance that pages show. */
export interface Look {
  readonly theme: Theme;
  readonly logo_url: string | null;
  readonly favicon_url: string | null;
}

/** Colors are stored in lower case. */
export function lookFields(values: Readonly<Partial<Record<LookField, string | null>>>): LookFields {
  const typed = (name: LookField): string => (values[name] ?? '').trim();
  const colors = COLOR_FIELDS.map((name) => [name, typed(name).toLowerCase()]);
  const others = LOOK_FIELDS.slice(COLOR_FIELDS.length).map((name) => [name, typed(name)]);
  return Object.fromEntries([...colors, ...others]) as LookFields;
}

const orNull = (value: string): string | null => (value === '' ? null : value);

/** Ids of files of the site by the field of their picture. */
export type PictureFiles = Readonly<Partial<Record<(typeof PICTURE_FIELDS)[number], string>>>;

/** The fields with the addresses that the files have once the appearance uses them. */
export function withFiles(fields: LookFields, files: PictureFiles, base_url: string): LookFields {
  const addresses = Object.entries(files).map(([name, id]) => [name, `${base_url}/files/public/${id}`]);
  return { ...fields, ...(Object.fromEntries(addresses) as Partial<LookFields>) };
}

/** The patch of changed fields, for the request that changes the appearance. */
export function lookPatch(changes: Partial<LookFields>, files: PictureFiles = {}): Record<string, unknown> {
  const entries = Object.entries(changes).map(([name, value]) => [name, orNull(value)] as const);
  const isPicture = (name: string): boolean => PICTURE_FIELDS.some((picture) => picture === name);
  const theme = Object.fromEntries(entries.filter(([name]) => !isPicture(name)));
  const pictures = Object.fromEntries(
    entries
      .filter(([name]) => isPicture(name))
      .map(([name, value]) => {
        const file = files[name as keyof PictureFiles];
        return file === undefined ? [name, value] : [name.replace(/_url$/, '_file_id'), file];
      }),
  );
  return { ...pictures, ...(Object.keys(theme).length > 0 && { theme }) };
}

/** A picture that is a file of the site is shown by its path: the site may have no https address. */
export function pictureOf(value: string, base_url: string): string | null {
  const files = `${base_url}/files/public/`;
  return value.startsWith(files) ? value.slice(base_url.length) : orNull(value);
}

function pictureFault(field: (typeof PICTURE_FIELDS)[number], value: string): SettingFault[] {
  const isFine = value === '' || value.startsWith('/files/public/') || URL.parse(value)?.protocol === 'https:';
  return isFine ? [] : [{ field, code: 'invalid_value' }];
}

/** The look of typed fields, or their faults. admin-api checks them again before it stores them. */
export function lookOf(fields: LookFields, base_url: string): Look | { readonly faults: readonly SettingFault[] } {
  const values = Object.fromEntries(
    Object.keys(themeSchema.shape).map((name) => [name, orNull(fields[name as LookField])]),
  );
  const parsed = themeSchema.safeParse(values);
  const [logo_url, favicon_url] = [pictureOf(fields.logo_url, base_url), pictureOf(fields.favicon_url, base_url)];
  const faults: SettingFault[] = [
    ...pictureFault('logo_url', logo_url ?? ''),
    ...pictureFault('favicon_url', favicon_url ?? ''),
  ];
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map(({ path }) => ({ field: String(path[0]), code: 'invalid_value' })));
    return { faults };
  }
  for (const { text, ground } of unreadablePairs(parsed.data))
    faults.push({ field: fields[text] === '' ? ground : text, code: 'low_contrast' });
  return faults.length > 0 ? { faults } : { theme: parsed.data, logo_url, favicon_url };
}
