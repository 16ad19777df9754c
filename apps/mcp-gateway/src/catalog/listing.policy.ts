import type { Principal } from '@lyceum/contracts';
import { holdsScopesOfSomeCall } from '@lyceum/contracts';
import type { ListedTool } from './catalog.policy.js';
import { describedFor } from './description.policy.js';
import { shortened } from './short-schema.policy.js';

/** Entries per page of a list. */
export const PAGE_SIZE = 100;

/**
 * Largest complete tool list. Models choose badly from longer lists, so they get the core set and search for the
 * others.
 */
export const FULL_LIST = 25;

type Caller = Pick<Principal, 'audience' | 'scopes'> | null;
type Shown = Pick<ListedTool, 'audience' | 'scopes' | 'scopesByArgument' | 'toolset'>;

/**
 * Visibility in lists: public entries for all callers, member entries for members (scopes are checked at the call),
 * operator entries by their scopes. Hidden entries can still be called by name, through the same gate.
 */
export function isShown(entry: Shown, caller: Caller): boolean {
  if (entry.audience === 'public') return true;
  if (caller?.audience !== entry.audience) return false;
  return entry.audience === 'member' || holdsScopesOfSomeCall(entry, caller);
}

/** Filters of a list, chosen by the caller; they never add entries. */
export interface ListFilters {
  /** `X-MCP-Readonly: true`: tools that change nothing. */
  readonly readOnly: boolean;
  /** `X-MCP-Toolsets: courses,students`: tools of these toolsets only; unknown ones are empty. */
  readonly toolsets?: ReadonlySet<string> | undefined;
}

export function readListFilters(headers: { readonly readOnly?: unknown; readonly toolsets?: unknown }): ListFilters {
  const { readOnly, toolsets } = headers;
  const named = typeof toolsets === 'string' ? toolsets.split(',').map((name) => name.trim().toLowerCase()) : [];
  const wanted = named.filter((name) => name !== '');
  return {
    readOnly: typeof readOnly === 'string' && readOnly.trim().toLowerCase() === 'true',
    ...(wanted.length === 0 ? {} : { toolsets: new Set(wanted) }),
  };
}

const NONE: ListFilters = { readOnly: false };

/** Resources and prompts: few, and all read-only. */
export function listEntries<E extends Shown>(
  capabilities: Iterable<E>,
  caller: Caller,
  filters: ListFilters = NONE,
): readonly E[] {
  const { toolsets } = filters;
  return [...capabilities].filter((entry) => isShown(entry, caller) && (toolsets?.has(entry.toolset) ?? true));
}

/**
 * A caller that names toolsets gets all of their tools with whole schemas, and the core set has short ones. No
 * description names a missing tool.
 */
export function listTools(
  tools: Iterable<ListedTool>,
  caller: Caller,
  filters: ListFilters = NONE,
): readonly ListedTool[] {
  const all = [...tools];
  const shown = listEntries(all, caller, filters).filter(
    ({ annotations }) => !filters.readOnly || annotations.readOnlyHint,
  );
  const isWhole = shown.length <= FULL_LIST || filters.toolsets !== undefined;
  const list = isWhole ? shown : shown.filter(({ core }) => core).map(shortened);
  const listed = new Set(list.map(({ name }) => name));
  const missing = new Set(all.map(({ name }) => name).filter((name) => !listed.has(name)));
  return list.map((tool) => describedFor(tool, missing));
}

const encode = (key: string): string => Buffer.from(key).toString('base64url');

/** A base64url key. It only marks a position, so a forged cursor reveals nothing. */
const CURSOR = /^[A-Za-z0-9_-]{1,512}$/;

/** One page of a list sorted by key; undefined for an invalid cursor. */
export function pageOf<E>(
  entries: readonly E[],
  keyOf: (entry: E) => string,
  cursor: string | undefined,
  size: number = PAGE_SIZE,
): { entries: readonly E[]; nextCursor?: string } | undefined {
  if (cursor !== undefined && !CURSOR.test(cursor)) return undefined;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const rest = entries.filter((entry) => keyOf(entry) > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return { entries: page, ...(rest.length > size && last !== undefined ? { nextCursor: encode(keyOf(last)) } : {}) };
}
