import { z } from 'zod';

/** The KV bucket of tool catalogues: key = service name, value = `toolCatalogueSchema`. */
export const TOOLS_BUCKET = 'tools';

/** JSON Schema 2020-12, always of an object. */
const objectSchema = z.looseObject({ type: z.literal('object') });

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

/** Who sees a tool: everybody, members, or operators. A pure function of the token decides, see the gateway's listing. */
export const toolDescriptionSchema = z.object({
  /** `verb_noun`, snake_case, at most 64 characters, unique in the deployment. */
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  title: z.string(),
  description: z.string(),
  /** Who may call it: `public` needs no token, unless it names scopes; the others need all of them. */
  audience: z.enum(['public', 'member', 'operator']),
  /** Empty with `member` and `operator`: any token of that audience. */
  scopes: z.array(z.string()),
  scopesByArgument: scopesByArgumentSchema.optional(),
  /** The feature that it belongs to: callers can ask for the tools of some only. */
  toolset: z.string().default(''),
  /** Listed even where the list would be too long for all. */
  core: z.boolean().default(false),
  inputSchema: objectSchema,
  outputSchema: objectSchema,
  annotations: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
});
export type ToolDescription = z.infer<typeof toolDescriptionSchema>;

export const toolCatalogueSchema = z.object({
  service: z.string(),
  tools: z.array(toolDescriptionSchema),
});
export type ToolCatalogue = z.infer<typeof toolCatalogueSchema>;

/** Only the gateway's NATS user may publish here. */
export function toolSubject(service: string, tool: string): string {
  return `tools.${service}.${tool}`;
}

/** Body of a tool call; principal, site, deadline, trace and idempotency key travel as headers (`REQUEST_HEADERS`). */
export const toolCallSchema = z.object({ arguments: z.record(z.string(), z.unknown()) });
