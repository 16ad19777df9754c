import { FaultStack } from './fault-stack.js';
import { NatsLoss } from './nats-loss.js';

// A stack of its own: the courses of this drill are not those of the restores.
describe('a loss of NATS with its volume, by docs/operate/restore.md', () => {
  let fault: FaultStack;
  let loss: NatsLoss;

  beforeAll(async () => {
    fault = await FaultStack.start();
    loss = await NatsLoss.begin(fault);
  }, 600_000);

  afterAll(async () => {
    await loss?.end();
    await fault?.stop();
  });

  it('brings all copies in line with the rows of their owners, and sends nothing twice', async () => {
    const { service, steps } = await loss.lose();
    expect(await loss.inLine()).toEqual(loss.expected);
    // The feed lacks the changes of events that no service had read, so its readers begin again.
    expect(await loss.lateCursor()).toBe('invalid_cursor');
    await loss.writeAgain();
    expect(await loss.inLine()).toEqual(loss.expected);
    await fault.checkIntact();
    process.stdout.write(`    NATS lost: ${service.toFixed(1)} s until all serve, ${steps.toFixed(1)} s of steps\n`);
  }, 900_000);
});
