import { FaultStack } from './fault-stack.ts';
import { SharedStack } from './shared-stack.ts';
import { damage } from './scenarios/damage.ts';
import { deletedNatsObjects } from './scenarios/deleted-nats-objects.ts';
import { newEvents } from './scenarios/new-events.ts';
import { outages } from './scenarios/outages.ts';
import { republish } from './scenarios/republish.ts';
import { restore } from './scenarios/restore.ts';
import { sigkill } from './scenarios/sigkill.ts';
import { siteLifeCycle } from './scenarios/site-life-cycle.ts';

const shared = new SharedStack(() => FaultStack.start(true));

afterAll(() => shared.stop());

// Reads the content of the demo, to which the others add.
republish(shared);
// Deletes the second site, while nothing changes the first one.
siteLifeCycle(shared);
outages(shared);
damage(shared);
deletedNatsObjects(shared);
newEvents(shared);
sigkill(shared);
// Leaves the databases at another server: the stack ends with it.
restore(shared);
