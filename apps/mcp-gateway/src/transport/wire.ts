import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/server';
import type { ListedPrompt, ListedResource, ListedTool } from '#src/catalog/catalog.policy.js';

type Listed = ListedTool | ListedResource | ListedPrompt;

/** Computes once per version of the entry. */
function once<E extends Listed, W>(make: (entry: E) => W): (entry: E) => W {
  const made = new WeakMap<E, W>();
  return (entry) => {
    const known = made.get(entry);
    if (known !== undefined) return known;
    const wire = make(entry);
    made.set(entry, wire);
    return wire;
  };
}

function common({ name, title, description, icons, audience, scopes }: Listed) {
  return {
    name,
    title,
    description,
    ...(icons === undefined ? {} : { icons }),
    _meta: { 'lyceum/audience': audience, 'lyceum/scopes': scopes },
  };
}

/** The entry in `tools/list`. */
export const wireTool = once((tool: ListedTool): Tool => ({
  ...common(tool),
  inputSchema: tool.inputSchema,
  ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
  annotations: tool.short === true ? tool.annotations : { title: tool.title, ...tool.annotations },
}));

export const wireResource = once((resource: ListedResource): Resource => ({
  ...common(resource),
  uri: resource.uri,
  mimeType: resource.mimeType,
}));

export const wireTemplate = once((resource: ListedResource): ResourceTemplateType => ({
  ...common(resource),
  uriTemplate: resource.uri,
  mimeType: resource.mimeType,
}));

export const wirePrompt = once((prompt: ListedPrompt): Prompt => ({
  ...common(prompt),
  arguments: prompt.arguments,
}));
