import { z } from 'zod';

const mimeType = z.string();
const uri = z.string();

/** MCP `ContentBlock`, shown to a model. Bytes are Base64. */
export const contentBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.base64(), mimeType }),
  z.object({ type: z.literal('audio'), data: z.base64(), mimeType }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([z.object({ uri, mimeType, text: z.string() }), z.object({ uri, mimeType, blob: z.base64() })]),
  }),
]);

/** Output of a content tool, which returns content blocks instead of data. */
export const contentOutputSchema = z.object({ content: z.array(contentBlockSchema).min(1) });
export type ContentOutput = z.infer<typeof contentOutputSchema>;

/**
 * Output of a prompt. Instructions are `text` of the service; user content goes into a `resource`, which models treat
 * as data.
 */
export const promptOutputSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: contentBlockSchema })),
});
export type PromptOutput = z.infer<typeof promptOutputSchema>;

/**
 * MCP 2026-07-28, "Multi Round-Trip Requests": questions in place of a result, which the client answers in a new call.
 * They are requests of the protocol (`elicitation/create` and the like), which the gateway's SDK validates.
 */
export const inputRequiredSchema = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(
    z.string(),
    z.object({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) }),
  ),
  /** Returned with the answers. The client stores it, so the service must protect it. */
  requestState: z.string().optional(),
});
export type InputRequired = z.infer<typeof inputRequiredSchema>;

/** The client's part of a call, beside the arguments. */
export const callingClientSchema = z.object({
  /** MCP `ClientCapabilities`, which limit the questions. */
  capabilities: z.record(z.string(), z.unknown()).default({}),
  /** The client's answers of the previous round, by key. Not validated. */
  inputResponses: z.record(z.string(), z.unknown()).default({}),
  /** Returned unchanged by a correct client: the service must verify it. */
  requestState: z.string().optional(),
});
export type CallingClient = z.infer<typeof callingClientSchema>;
