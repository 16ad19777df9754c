import { resendStudentInvitation } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import type { z } from 'zod';

type Input = z.output<(typeof resendStudentInvitation)['input']>;

export interface InvitationResponder {
  readonly requests: readonly Input[];
  /** The reply to the next requests. */
  reply: Reply;
  /** The reply waits for it. */
  until: Promise<unknown>;
  close(): Promise<void>;
}

/** Responds to requests for invitations in place of auth. */
export async function respondToInvitations(nats: Pick<TestNats, 'environment'>): Promise<InvitationResponder> {
  const connection = await connectAs(nats.environment('auth'));
  const requests: Input[] = [];
  const responder: InvitationResponder = {
    requests,
    reply: { ok: true, result: {} },
    until: Promise.resolve(),
    close: () => connection.close(),
  };
  connection.subscribe(resendStudentInvitation.subject, {
    callback: (_error, message) => {
      requests.push(message.json<Input>());
      void responder.until.then(() => message.respond(JSON.stringify(responder.reply)));
    },
  });
  await connection.flush();
  return responder;
}
