import { z } from 'zod';

/** The KV bucket of tool catalogues: key = service name, value = `toolCatalogueSchema`. */
export const TOOLS_BUCKET = 'tools';

/** JSON Schema 2020-12, always of an object. */
const objectSchema = z.looseObject({ type: z.literal('object') });

/** Who sees a tool: everybody, members, or operators. A pure function of the token decides, see the gateway's listing. */
export const toolDescriptionSchema = z.object({
  /** `verb_noun`, snake_case, at most 64 characters, unique in the deployment. */
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  title: z.string(),
  description: z.string(),
  /** Who may call it: `public` needs no token, unless it names scopes; the others need all of them. */
  audience: z.enum(['public', 'member', 'operator']),
  scopes: z.array(z.string()),
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
