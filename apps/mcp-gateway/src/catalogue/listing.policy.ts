import type { Principal } from '@lyceum/contracts';
import { holdsScopesOfSomeCall } from '@lyceum/contracts';
import type { ListedTool } from './catalogue.policy.js';

/** Tools of one page of `tools/list`. */
export const PAGE_SIZE = 100;

type Caller = Pick<Principal, 'audience' | 'scopes'> | null;

/**
 * What a caller is shown: everybody the public tools, members all member tools (their scope is asked for when one is called),
 * operators those whose scopes they hold. A tool that is not shown can still be called by name, through the same gate.
 */
export function isShown(tool: Pick<ListedTool, 'audience' | 'scopes' | 'scopesByArgument'>, caller: Caller): boolean {
  if (tool.audience === 'public') return true;
  if (caller?.audience !== tool.audience) return false;
  return tool.audience === 'member' || holdsScopesOfSomeCall(tool, caller);
}

/** Narrows a list further, at the wish of the caller: header `X-MCP-Readonly`. */
export interface Wishes {
  readonly readOnly: boolean;
}

export function listTools(
  tools: Iterable<ListedTool>,
  caller: Caller,
  wishes: Wishes = { readOnly: false },
): readonly ListedTool[] {
  return [...tools].filter((tool) => isShown(tool, caller) && (!wishes.readOnly || tool.annotations.readOnlyHint));
}

const encode = (name: string): string => Buffer.from(name).toString('base64url');

/** A name in base64url; it only says where to go on, so a forged one shows nothing that is not shown anyway. */
const CURSOR = /^[A-Za-z0-9_-]{1,128}$/;

/** One page of a sorted list, or undefined when the cursor is none of ours. */
export function pageOf(
  tools: readonly ListedTool[],
  cursor: string | undefined,
  size: number = PAGE_SIZE,
): { tools: readonly ListedTool[]; nextCursor?: string } | undefined {
  if (cursor !== undefined && !CURSOR.test(cursor)) return undefined;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const rest = tools.filter((tool) => tool.name > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  return { tools: page, ...(rest.length > size && last !== undefined ? { nextCursor: encode(last.name) } : {}) };
}
