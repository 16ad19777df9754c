import type { CustomFields } from './custom-field.policy.js';
import type { MemberPatch } from './member.schema.js';

/** Names of the profile members at identity, which owns them. */
const PROFILE = { name: 'name', phone_number: 'phone', avatar_url: 'picture', locale: 'locale' } as const;

interface Profile {
  readonly name?: string;
  readonly phone?: string | null;
  readonly picture?: string | null;
  readonly locale?: string | null;
}

interface Own {
  readonly external_id?: string | null;
  readonly metadata?: Record<string, string>;
  readonly tags?: string[];
  readonly custom_fields?: CustomFields;
  readonly avatar_file_id?: string | null;
}

/** Splits values into the profile, which identity owns, and the members that the school owns. */
export function partsOf(values: Omit<MemberPatch, keyof Own> & Own): { readonly profile: Profile; readonly own: Own } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const isProfile = (name: string): name is keyof typeof PROFILE => name in PROFILE;
  return {
    profile: Object.fromEntries(given.flatMap(([name, value]) => (isProfile(name) ? [[PROFILE[name], value]] : []))),
    own: Object.fromEntries(given.filter(([name]) => !isProfile(name))),
  };
}
