import { inputRequiredSchema, promptOutputSchema } from '@lyceum/contracts';
import type { InputRequired, PromptOutput, Reply, ResourceDescription } from '@lyceum/contracts';
import { RESULT_LIMIT } from './tool-result.policy.js';

/** A reply that is none: code, words and what to do, as the owning service says them. */
export class CallFailed extends Error {
  constructor(readonly error: Extract<Reply, { ok: false }>['error']) {
    super(error.detail);
    this.name = 'CallFailed';
  }
}

/** The result of a reply, or the failure thrown. */
export function resultOf(reply: Reply): unknown {
  if (!reply.ok) throw new CallFailed(reply.error);
  return reply.result;
}

/** Whether the reply has questions in place of a result. */
export function asks(reply: Reply): boolean {
  if (!reply.ok || typeof reply.result !== 'object' || reply.result === null) return false;
  return 'resultType' in reply.result && reply.result.resultType === 'input_required';
}

/** What a service asks the client instead of answering, or undefined when it answers. */
export function questionsOf(reply: Reply): InputRequired | undefined {
  if (!asks(reply)) return undefined;
  const questions = inputRequiredSchema.parse(resultOf(reply));
  assertSize(JSON.stringify(questions));
  return questions;
}

/** The contents of a resource: one text, JSON where it is data, or bytes. */
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

/** The same limit as for the result of a tool: it goes into the same memory. */
function assertSize(text: string): void {
  const size = Buffer.byteLength(text);
  if (size <= RESULT_LIMIT) return;
  const detail = `The content has ${size} bytes; at most ${RESULT_LIMIT} can be shown`;
  throw new CallFailed({ code: 'payload_too_large', detail, hint: 'Use a tool that gives it in parts.' });
}
