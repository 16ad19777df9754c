import { z } from 'zod';
import { callingClientSchema } from './tool-content.js';

/**
 * The KV bucket of the services' capabilities. It has two kinds of leased keys: `<service>.<version>` contains the
 * catalog of one version of a service, `<service>.<version>.<instance>` marks a running instance of it. A version
 * without instances is not listed.
 */
export const TOOLS_BUCKET = 'tool-catalogs';

/** JSON Schema 2020-12, always of an object. */
const objectSchema = z.looseObject({ type: z.literal('object') });

/** `verb_noun` for tools, snake_case, at most 64 characters, unique in the deployment among those of its kind. */
const nameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** MCP `Icon`. Data URIs only: showing a list must not make a client load anything. */
const iconSchema = z.object({ src: z.string().regex(/^data:image\/[a-z+]+;base64,/), mimeType: z.string() });

/** Common members of tools, resources and prompts. */
const capability = {
  name: nameSchema,
  title: z.string(),
  description: z.string(),
  icons: z.array(iconSchema).optional(),
  /** Audience: `public` needs no token, unless it names scopes; the others need all of them. */
  audience: z.enum(['public', 'member', 'operator']),
  /** Empty with `member` and `operator`: any token of that audience. */
  scopes: z.array(z.string()),
  /** The feature of the capability: callers can filter by it. */
  toolset: z.string().default(''),
  /** Hash of the rest of the entry. Part of the subject, so that a call reaches an instance with this version. */
  version: z.string().regex(/^[0-9a-f]{16}$/),
};

/**
 * For a tool whose scopes depend on an argument: the argument, and the scopes that each of its values needs beside
 * `scopes`. The owning service refuses undeclared values before the tool runs.
 */
const scopesByArgumentSchema = z.object({
  argument: z.string(),
  scopes: z.record(z.string(), z.array(z.string())),
  /** Shown to a model that chose an undeclared value. */
  hint: z.string(),
});
export type ScopesByArgument = z.infer<typeof scopesByArgumentSchema>;

export const toolDescriptionSchema = z.object({
  ...capability,
  scopesByArgument: scopesByArgumentSchema.optional(),
  /** Listed even when the list is too long to be complete. */
  core: z.boolean().default(false),
  inputSchema: objectSchema,
  /** Absent for a tool that returns content blocks (`contentOutputSchema`). */
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
  /** A URI, or a template with `{variables}`: RFC 6570, level 1. */
  uri: z.string().regex(/^[a-z][a-z0-9+.-]*:\/\/[^\s{}]*(\{[a-z_]+\}[^\s{}]*)*$/),
  mimeType: z.string(),
  /** Form of the result: data as JSON, a text, or Base64. */
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

export const toolCatalogSchema = z.object({
  service: z.string(),
  tools: z.array(toolDescriptionSchema),
  resources: z.array(resourceDescriptionSchema).default([]),
  prompts: z.array(promptDescriptionSchema).default([]),
});
export type ToolCatalog = z.infer<typeof toolCatalogSchema>;

/** The version whose instance started last is listed. Milliseconds since the epoch. */
export const toolLeaseSchema = z.object({ started_at: z.int() });
export type ToolLease = z.infer<typeof toolLeaseSchema>;

export const toolsEntrySchema = z.union([toolCatalogSchema, toolLeaseSchema]);
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

/** A completion has the version of its resource or prompt. */
export function completionName(of: string, argument: string): string {
  return `${of}-${argument}`;
}

/** Body of a call; principal, site, deadline, trace and idempotency key travel as headers (`REQUEST_HEADERS`). */
export const toolCallSchema = z.object({
  arguments: z.record(z.string(), z.unknown()),
  client: callingClientSchema.prefault({}),
});

/** Input of a completion: the value so far, and the other known arguments. */
export const completionInputSchema = z.object({
  value: z.string().max(1_000),
  arguments: z.record(z.string(), z.string()).default({}),
});
export type CompletionInput = z.infer<typeof completionInputSchema>;

/** MCP allows a hundred values. */
export const completionOutputSchema = z.object({ values: z.array(z.string()).max(100), has_more: z.boolean() });
export type CompletionOutput = z.infer<typeof completionOutputSchema>;
