import type { MissingResources } from './missing-resources.js';
import type { Nats } from './nats.js';
import { managerOf } from './storage.js';

/**
 * Asks for a stream and reports whether it exists. Returns its number of messages, or undefined without a response: a
 * scrape must not fail because NATS does.
 */
export async function observeStream(
  nats: Nats,
  missing: MissingResources,
  stream: string,
): Promise<number | undefined> {
  const { connection, storage } = nats;
  if (connection === undefined) return undefined;
  try {
    const { state } = await (await managerOf(connection, storage)).streams.info(stream);
    missing.present('stream', stream);
    return state.messages;
  } catch (error) {
    missing.failed('stream', stream, error);
    return undefined;
  }
}
