import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CallingClient } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { z } from 'zod';

/** Asks the person for one value. */
export const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } },
});

/** Asks the client's model. */
export const sample = (text: string) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 },
});

export const ROOTS = { method: 'roots/list', params: {} };

const acceptedSchema = z.object({ action: z.literal('accept'), content: z.record(z.string(), z.unknown()) });

/** The person's input; undefined for anything but an accepted form with a text. */
export function textOf({ inputResponses }: CallingClient, key: string, field: string): string | undefined {
  const value = acceptedSchema.safeParse(inputResponses[key]).data?.content[field];
  return typeof value === 'string' ? value : undefined;
}

export const hasResponse = ({ inputResponses }: CallingClient, ...keys: string[]): boolean =>
  keys.every((key) => typeof inputResponses[key] === 'object');

const KEY = randomBytes(32);
const tagOf = (payload: string): Buffer => createHmac('sha256', KEY).update(payload).digest();

/** The client stores the state, so it is signed. */
export function sign(state: string): string {
  const payload = Buffer.from(state).toString('base64url');
  return `${payload}.${tagOf(payload).toString('base64url')}`;
}

/** The verified state; undefined in the first round. */
export function verified({ requestState }: CallingClient): string | undefined {
  if (requestState === undefined) return undefined;
  const [payload = '', tag = ''] = requestState.split('.');
  const given = Buffer.from(tag, 'base64url');
  const right = tagOf(payload);
  // Decoding is lenient, so the text itself is compared too.
  const same = given.length === right.length && timingSafeEqual(given, right);
  if (!same || requestState !== `${payload}.${right.toString('base64url')}`) {
    throw new ApiError('invalid_request', 'The request state is not one of this tool.');
  }
  return Buffer.from(payload, 'base64url').toString();
}
