import type { Reply } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

const encoder = new TextEncoder();

/** Serializes an API error as a reply. */
export function refusal(apiError: ApiError): Reply {
  const { code, message, errors, hint, retryAfter } = apiError;
  return {
    ok: false,
    error: {
      code,
      detail: message,
      ...(errors.length > 0 ? { errors: [...errors] } : {}),
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    },
  };
}

export function internal(): ApiError {
  return new ApiError('internal', 'Something went wrong on our side.');
}

export interface EncodedReply {
  readonly bytes: Uint8Array;
  /** `ok`, or the error code that is sent. */
  readonly outcome: string;
  /** The error that replaced the intended reply. */
  readonly fault?: unknown;
}

/**
 * The reply as JSON of at most `room` bytes. A reply that cannot be sent is replaced by an error, so the caller does
 * not wait in vain.
 */
export function encodeReply(reply: Reply, room: number): EncodedReply {
  try {
    const bytes = encoder.encode(JSON.stringify(reply));
    if (bytes.length <= room) return { bytes, outcome: reply.ok ? 'ok' : reply.error.code };
    const fault = new Error(`it has ${bytes.length} bytes, and a message ${room} at most`);
    return replace(
      new ApiError('payload_too_large', 'The request succeeded, but its response is larger than a message may be.', {
        hint: 'Ask for less at once, and do not repeat a change.',
      }),
      fault,
    );
  } catch (fault) {
    return replace(internal(), fault);
  }
}

function replace(apiError: ApiError, fault: unknown): EncodedReply {
  return { bytes: encoder.encode(JSON.stringify(refusal(apiError))), outcome: apiError.code, fault };
}
