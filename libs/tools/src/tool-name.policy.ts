import type { ToolDeclaration } from './tool.decorator.js';

type Named = Pick<ToolDeclaration, 'name' | 'audience' | 'annotations'>;

/** Public tools that are not `browse_` tools. */
const PUBLIC = new Set(['get_school_profile', 'whoami']);

const RESOURCE = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*';
const BROWSES = new RegExp(`^browse_${RESOURCE}$`);
const MINE = new RegExp(`^my_${RESOURCE}$`);
const READS = new RegExp(`^(?:list|get|search|describe|read)_(?!all_)${RESOURCE}(?<!_details)$`);
/**
 * A verb and a resource. Excludes the verbs of reading tools, the prefixes of other audiences, and `save_` for
 * `update_`.
 */
const CHANGES = new RegExp(`^(?!(?:list|get|search|describe|read|browse|my|save)_)[a-z]+_${RESOURCE}$`);

/**
 * The prefix names the audience, so that a model can distinguish visitors' tools (`browse_course`), a member's own
 * (`my_course`) and operators' (`get_course`). Returns the violation of this scheme.
 */
export function toolNameFault({ name, audience, annotations: { readOnlyHint } }: Named): string | undefined {
  if (audience === 'public') {
    return BROWSES.test(name) || PUBLIC.has(name) ? undefined : 'the name of a public tool is browse_<resource>';
  }
  if (!readOnlyHint) return CHANGES.test(name) ? undefined : 'the name of a tool that writes is <action>_<resource>';
  if (audience === 'member') {
    return MINE.test(name) ? undefined : 'the name of a tool that reads for a member is my_<resource>';
  }
  return READS.test(name)
    ? undefined
    : 'the name of a tool that reads for operators is list_, get_, search_, describe_ or read_<resource>';
}
