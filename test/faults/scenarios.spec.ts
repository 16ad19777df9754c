import { deletedNatsObjects } from './scenarios/deleted-nats-objects.ts';
import { newEvents } from './scenarios/new-events.ts';
import { outages } from './scenarios/outages.ts';
import { repair } from './scenarios/repair.ts';
import { republish } from './scenarios/republish.ts';
import { restore } from './scenarios/restore.ts';
import { sigkill } from './scenarios/sigkill.ts';
import { siteLifeCycle } from './scenarios/site-life-cycle.ts';
import { tracesAndLogs } from './scenarios/traces-and-logs.ts';
import { sharedFaultStack } from './shared-stack.ts';

const shared = sharedFaultStack();

afterAll(() => shared.stop());

// The first two read the content and the logs of a stack in which nothing was broken yet.
republish(shared);
tracesAndLogs(shared);
// Deletes the second site, while nothing changes the first one.
siteLifeCycle(shared);
outages(shared);
repair(shared);
deletedNatsObjects(shared);
newEvents(shared);
// Uses up the quota of its client.
sigkill(shared);
// Leaves databases of another server at the services.
restore(shared);
