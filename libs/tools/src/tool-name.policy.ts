import type { ToolDeclaration } from './tool.decorator.js';

type Named = Pick<ToolDeclaration, 'name' | 'audience' | 'annotations'>;

/** Public tools that are not about what a visitor can browse. */
const PUBLIC = new Set(['get_school_profile', 'whoami']);

const RESOURCE = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*';
const BROWSES = new RegExp(`^browse_${RESOURCE}$`);
const MINE = new RegExp(`^my_${RESOURCE}$`);
const READS = new RegExp(`^(?:list|get|search|describe|read)_(?!all_)${RESOURCE}(?<!_details)$`);
/** A verb and a resource. The verbs of readers, the prefixes of other audiences, and `save_` for `update_` are refused. */
const CHANGES = new RegExp(`^(?!(?:list|get|search|describe|read|browse|my|save)_)[a-z]+_${RESOURCE}$`);

/**
 * The prefix says for whom a tool is, so that a model can tell apart what visitors see (`browse_course`), what is its
 * member's (`my_course`) and what operators manage (`get_course`). Returns why a name breaks this scheme.
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
