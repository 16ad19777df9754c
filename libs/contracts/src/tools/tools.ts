import { z } from 'zod';
import { callingClientSchema } from './tool-content.js';

/**
 * The KV bucket of what the services offer to tool clients. Two kinds of keys, both leased:
 * `<service>.<version>` holds the catalogue of one version of a service, `<service>.<version>.<instance>` says that an
 * instance with it is there. A version whose last instance has gone is not offered any more.
 */
export const TOOLS_BUCKET = 'tool-catalogues';

/** JSON Schema 2020-12, always of an object. */
const objectSchema = z.looseObject({ type: z.literal('object') });

/** `verb_noun` for tools, snake_case, at most 64 characters, unique in the deployment among those of its kind. */
const nameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** MCP `Icon`. Only data: a client that shows a list must not be made to call anybody. */
const iconSchema = z.object({ src: z.string().regex(/^data:image\/[a-z+]+;base64,/), mimeType: z.string() });

/** What tools, resources and prompts have in common. */
const capability = {
  name: nameSchema,
  title: z.string(),
  description: z.string(),
  icons: z.array(iconSchema).optional(),
  /** Who may use it: `public` needs no token, unless it names scopes; the others need all of them. */
  audience: z.enum(['public', 'member', 'operator']),
  /** Empty with `member` and `operator`: any token of that audience. */
  scopes: z.array(z.string()),
  /** The feature that it belongs to: callers can ask for those of some only. */
  toolset: z.string().default(''),
  /** Hash of all the rest of the entry. It is in the subject, so that a call goes to who knows this version. */
  version: z.string().regex(/^[0-9a-f]{16}$/),
};

/**
 * For a tool whose scopes depend on what it is asked to do: the value of one argument, and the scopes that this value
 * needs beside `scopes`. A value that is not here needs none, and the owning service refuses it before the tool runs.
 */
const scopesByArgumentSchema = z.object({
  argument: z.string(),
  scopes: z.record(z.string(), z.array(z.string())),
  /** For a model that chose a value which is not there. */
  hint: z.string(),
});
export type ScopesByArgument = z.infer<typeof scopesByArgumentSchema>;

export const toolDescriptionSchema = z.object({
  ...capability,
  scopesByArgument: scopesByArgumentSchema.optional(),
  /** Listed even where the list would be too long for all. */
  core: z.boolean().default(false),
  inputSchema: objectSchema,
  /** None for a tool that answers blocks of content (`contentOutputSchema`). */
  outputSchema: objectSchema.optional(),
  annotations: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
});
export type ToolDescription = z.infer<typeof toolDescriptionSchema>;

export const resourceDescriptionSchema = z.object({
  ...capability,
  /** A URI, or a template of one with `{variables}`: RFC 6570, level 1. */
  uri: z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^\s{}]*(\{[a-z_]+\}[^\s{}]*)*$/),
  mimeType: z.string(),
  /** How the result travels: as data that is shown as JSON, as a text, or as Base64. */
  form: z.enum(['json', 'text', 'blob']).default('json'),
  /** Variables that can be completed. */
  completes: z.array(z.string()),
});
export type ResourceDescription = z.infer<typeof resourceDescriptionSchema>;

export const promptDescriptionSchema = z.object({
  ...capability,
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  /** Arguments that can be completed. */
  completes: z.array(z.string()),
});
export type PromptDescription = z.infer<typeof promptDescriptionSchema>;

export const toolCatalogueSchema = z.object({
  service: z.string(),
  tools: z.array(toolDescriptionSchema),
  resources: z.array(resourceDescriptionSchema).default([]),
  prompts: z.array(promptDescriptionSchema).default([]),
});
export type ToolCatalogue = z.infer<typeof toolCatalogueSchema>;

/** Of two versions of a service, the one of the instance that started last is listed. Milliseconds since the epoch. */
export const toolLeaseSchema = z.object({ started_at: z.int() });
export type ToolLease = z.infer<typeof toolLeaseSchema>;

export const toolsEntrySchema = z.union([toolCatalogueSchema, toolLeaseSchema]);
export type ToolsEntry = z.infer<typeof toolsEntrySchema>;

export type CapabilityKind = 'tool' | 'resource' | 'prompt' | 'completion';

/** Only the gateway's NATS user may publish here. */
export function capabilitySubject(
  service: string,
  kind: CapabilityKind,
  { name, version }: { readonly name: string; readonly version: string },
): string {
  return `tools.${service}.${kind}.${name}.${version}`;
}

/** A completion has the version of what it belongs to. */
export function completionName(of: string, argument: string): string {
  return `${of}-${argument}`;
}

/** Body of a call; principal, site, deadline, trace and idempotency key travel as headers (`REQUEST_HEADERS`). */
export const toolCallSchema = z.object({
  arguments: z.record(z.string(), z.unknown()),
  client: callingClientSchema.prefault({}),
});

/** What a completion is asked: the value so far, and the other arguments that are known. */
export const completionInputSchema = z.object({
  value: z.string().max(1_000),
  arguments: z.record(z.string(), z.string()).default({}),
});
export type CompletionInput = z.infer<typeof completionInputSchema>;

/** MCP allows a hundred values. */
export const completionOutputSchema = z.object({ values: z.array(z.string()).max(100), has_more: z.boolean() });
export type CompletionOutput = z.infer<typeof completionOutputSchema>;
