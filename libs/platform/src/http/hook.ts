import type { FastifyReply, FastifyRequest } from 'fastify';

type Work = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Returns a Fastify hook that waits only if the work returns a promise, because most requests need no I/O. */
export function hookOf(work: Work): Hook {
  return (request, reply, done) => {
    let working: void | Promise<void>;
    try {
      working = work(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (working === undefined) done();
    else void settle(working, done);
  };
}

async function settle(working: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await working;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
