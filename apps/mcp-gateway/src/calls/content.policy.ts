import { inputRequiredSchema, promptOutputSchema } from '@lyceum/contracts';
import type { InputRequired, PromptOutput, Reply, ResourceDescription } from '@lyceum/contracts';
import { RESULT_LIMIT } from './tool-result.policy.js';

/** A failed reply: code, detail and hint of the owning service. */
export class CallFailed extends Error {
  constructor(readonly error: Extract<Reply, { ok: false }>['error']) {
    super(error.detail);
    this.name = 'CallFailed';
  }
}

/** The result of a reply; throws its failure. */
export function resultOf(reply: Reply): unknown {
  if (!reply.ok) throw new CallFailed(reply.error);
  return reply.result;
}

/** True when the reply contains questions in place of a result. */
export function needsInput(reply: Reply): boolean {
  if (!reply.ok || typeof reply.result !== 'object' || reply.result === null) return false;
  return 'resultType' in reply.result && reply.result.resultType === 'input_required';
}

/** The questions to the client; undefined for a result. */
export function inputRequiredOf(reply: Reply): InputRequired | undefined {
  if (!needsInput(reply)) return undefined;
  const questions = inputRequiredSchema.parse(resultOf(reply));
  assertSize(JSON.stringify(questions));
  return questions;
}

/** The contents of a resource: one text, JSON for data, or bytes. */
export function resourceContents(
  uri: string,
  { mimeType, form }: Pick<ResourceDescription, 'mimeType' | 'form'>,
  reply: Reply,
) {
  const result = resultOf(reply);
  const content = form === 'json' ? JSON.stringify(result) : String(result);
  assertSize(content);
  return [{ uri, mimeType, ...(form === 'blob' ? { blob: content } : { text: content }) }];
}

export function promptMessages(reply: Reply): PromptOutput['messages'] {
  const { messages } = promptOutputSchema.parse(resultOf(reply));
  assertSize(JSON.stringify(messages));
  return messages;
}

/** The same limit as for tool results, because both use the model's context. */
function assertSize(text: string): void {
  const size = Buffer.byteLength(text);
  if (size <= RESULT_LIMIT) return;
  const detail = `The content has ${size} bytes; at most ${RESULT_LIMIT} can be shown`;
  throw new CallFailed({ code: 'payload_too_large', detail, hint: 'Use a tool that gives it in parts.' });
}
