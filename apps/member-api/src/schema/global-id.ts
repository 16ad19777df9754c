import { GLOBAL_ID_PREFIXES, UUID_PATTERN, isUuid } from '@lyceum/contracts';
import type { GlobalIdType } from '@lyceum/contracts';

export type PrefixedType = GlobalIdType;
/** The types of the interface Node. */
export type NodeType = PrefixedType | 'Viewer' | 'ViewerSchool';

const TYPES: Readonly<Record<string, PrefixedType>> = Object.fromEntries(
  (Object.keys(GLOBAL_ID_PREFIXES) as PrefixedType[]).map((type) => [GLOBAL_ID_PREFIXES[type], type]),
);
const PREFIXED = new RegExp(`^([a-z]{3})_(${UUID_PATTERN})$`);

/** The prefix of the UUID in an id of the type. */
export const prefixOf = (type: PrefixedType): string => `${GLOBAL_ID_PREFIXES[type]}_`;

/** The type of a global id. The member has the claim `sub`, a site the claim `org_id`. Undefined for a malformed id. */
export function typeOfId(id: unknown): NodeType | undefined {
  if (typeof id !== 'string') return undefined;
  if (isUuid(id)) return 'Viewer';
  const prefix = PREFIXED.exec(id)?.[1];
  if (prefix !== undefined && prefix in TYPES) return TYPES[prefix];
  return /^org_\w+$/.test(id) ? 'ViewerSchool' : undefined;
}

/** The UUID in an id of the type. Undefined for an id of another type and for a malformed one. */
export function uuidOfId(type: PrefixedType, id: unknown): string | undefined {
  return typeOfId(id) === type ? String(id).slice(prefixOf(type).length) : undefined;
}
