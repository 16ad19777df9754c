import { z } from 'zod';

const mimeType = z.string();
const uri = z.string();

/** MCP `ContentBlock`: what a model is shown. Bytes are Base64. */
export const contentBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.base64(), mimeType }),
  z.object({ type: z.literal('audio'), data: z.base64(), mimeType }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([z.object({ uri, mimeType, text: z.string() }), z.object({ uri, mimeType, blob: z.base64() })]),
  }),
]);

/** What a tool answers that shows something rather than giving data. */
export const contentOutputSchema = z.object({ content: z.array(contentBlockSchema).min(1) });
export type ContentOutput = z.infer<typeof contentOutputSchema>;

/**
 * What a prompt answers. Instructions are `text`, and ours; what people wrote goes into a `resource`, where a model takes
 * it for data.
 */
export const promptOutputSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: contentBlockSchema })),
});
export type PromptOutput = z.infer<typeof promptOutputSchema>;

/**
 * MCP 2026-07-28, "Multi Round-Trip Requests": instead of a result, questions that the client answers in a new call. The
 * questions are requests of the protocol (`elicitation/create` and the like), which the gateway's SDK checks.
 */
export const inputRequiredSchema = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(
    z.string(),
    z.object({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) }),
  ),
  /** Comes back with the answers. It passes through the client: who mints it protects it. */
  requestState: z.string().optional(),
});
export type InputRequired = z.infer<typeof inputRequiredSchema>;

/** What a call says of the client, beside the arguments. */
export const callingClientSchema = z.object({
  /** MCP `ClientCapabilities`, which say what may be asked. */
  capabilities: z.record(z.string(), z.unknown()).default({}),
  /** Answers to the questions of the round before, by their keys. Nobody has checked them. */
  inputResponses: z.record(z.string(), z.unknown()).default({}),
  /** As it came: whoever minted it has to check that it is the same. */
  requestState: z.string().optional(),
});
export type CallingClient = z.infer<typeof callingClientSchema>;
