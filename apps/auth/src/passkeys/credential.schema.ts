import { z } from 'zod';
import { TRANSPORTS } from './passkey.js';

const bytes = z.base64url();

const credential = { id: bytes, rawId: bytes, type: z.literal('public-key') };

/** RegistrationResponseJSON (Web Authentication Level 3 §5.1.8), as far as it is read. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.unknown())
      .catch([])
      .transform((some) => TRANSPORTS.filter((known) => some.includes(known))),
  }),
});

/** AuthenticationResponseJSON. Without a user handle it is not a discoverable credential. */
export const authenticationResponse = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes }),
});

const clientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() });

export type RegistrationResponse = z.infer<typeof registrationResponse>;
export type AuthenticationResponse = z.infer<typeof authenticationResponse>;

/** The parsed response of a browser; undefined when it has another shape. */
export function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The challenge of a response; undefined for a response from a frame of another site, where no page of ours is. */
export function receivedChallenge({ clientDataJSON }: { clientDataJSON: string }): string | undefined {
  const data = parsed(clientData, Buffer.from(clientDataJSON, 'base64url').toString());
  return data === undefined || data.crossOrigin === true ? undefined : data.challenge;
}
