import { promptOutputSchema } from '@lyceum/contracts';
import type { PromptOutput, Reply } from '@lyceum/contracts';
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

/** The contents of a resource: one JSON text. */
export function resourceContents(uri: string, mimeType: string, reply: Reply) {
  const text = JSON.stringify(resultOf(reply));
  assertSize(text);
  return [{ uri, mimeType, text }];
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
