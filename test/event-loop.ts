import { setImmediate } from 'node:timers/promises';

/**
 * Loading a library or compiling a client blocks the event loop for seconds. The server closes idle connections
 * meanwhile. Two turns of the loop let `fetch` notice this before it reuses one.
 */
async function noticeClosedConnections(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

beforeAll(noticeClosedConnections);
beforeEach(noticeClosedConnections);
