import type { Principal } from '@lyceum/contracts';
import { holdsScopesOfSomeCall } from '@lyceum/contracts';
import type { ListedTool } from './catalogue.policy.js';
import { describedFor } from './description.policy.js';

/** Entries of one page of a list. */
export const PAGE_SIZE = 100;

/** Tools of a list in full. Beyond, a model chooses badly: it gets the core set, and finds the others by asking. */
export const FULL_LIST = 25;

type Caller = Pick<Principal, 'audience' | 'scopes'> | null;
type Shown = Pick<ListedTool, 'audience' | 'scopes' | 'scopesByArgument' | 'toolset'>;

/**
 * What a caller is shown: everybody what is public, members all that is for members (the scope is asked for at the call),
 * operators that whose scopes they hold. What is not shown can still be called by name, through the same gate.
 */
export function isShown(entry: Shown, caller: Caller): boolean {
  if (entry.audience === 'public') return true;
  if (caller?.audience !== entry.audience) return false;
  return entry.audience === 'member' || holdsScopesOfSomeCall(entry, caller);
}

/** Narrows a list at the wish of the caller; never shows more. */
export interface Wishes {
  /** `X-MCP-Readonly: true`: tools that change nothing. */
  readonly readOnly: boolean;
  /** `X-MCP-Toolsets: courses,students`: those of these features only; of one that does not exist there are none. */
  readonly toolsets?: ReadonlySet<string> | undefined;
}

export function readWishes(headers: { readonly readOnly?: unknown; readonly toolsets?: unknown }): Wishes {
  const { readOnly, toolsets } = headers;
  const named = typeof toolsets === 'string' ? toolsets.split(',').map((name) => name.trim().toLowerCase()) : [];
  const wanted = named.filter((name) => name !== '');
  return {
    readOnly: typeof readOnly === 'string' && readOnly.trim().toLowerCase() === 'true',
    ...(wanted.length === 0 ? {} : { toolsets: new Set(wanted) }),
  };
}

const NONE: Wishes = { readOnly: false };

/** Resources and prompts: they are few, and read only. */
export function listOffers<E extends Shown>(offers: Iterable<E>, caller: Caller, wishes: Wishes = NONE): readonly E[] {
  const { toolsets } = wishes;
  return [...offers].filter((entry) => isShown(entry, caller) && (toolsets?.has(entry.toolset) ?? true));
}

/** A caller that names toolsets has chosen already, and gets all of them. No description names a tool that is missing. */
export function listTools(tools: Iterable<ListedTool>, caller: Caller, wishes: Wishes = NONE): readonly ListedTool[] {
  const all = [...tools];
  const shown = listOffers(all, caller, wishes).filter(
    ({ annotations }) => !wishes.readOnly || annotations.readOnlyHint,
  );
  const short = shown.length <= FULL_LIST || wishes.toolsets !== undefined ? shown : shown.filter(({ core }) => core);
  const listed = new Set(short.map(({ name }) => name));
  const missing = new Set(all.map(({ name }) => name).filter((name) => !listed.has(name)));
  return short.map((tool) => describedFor(tool, missing));
}

const encode = (key: string): string => Buffer.from(key).toString('base64url');

/** A key in base64url; it only says where to go on, so a forged one shows nothing that is not shown anyway. */
const CURSOR = /^[A-Za-z0-9_-]{1,512}$/;

/** One page of a list that is sorted by its keys, or undefined when the cursor is none of ours. */
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
