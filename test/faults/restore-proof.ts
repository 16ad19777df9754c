import { FaultStack } from './fault-stack.ts';
import type { Figure, Proof } from '../long/proof.ts';
import { NatsLoss } from './nats-loss.ts';
import { RestoreDrill } from './restore-drill.ts';

const MOST_SECONDS = 120;

export const restoreProof: Proof = {
  name: 'restore',
  title: 'each database returns to a point in time, NATS is lost whole, and all copies of their data follow',
  run: async () => [...(await onStack(restores)), ...(await onStack(natsLoss))],
};

async function onStack(drill: (fault: FaultStack) => Promise<Figure[]>): Promise<Figure[]> {
  const fault = await FaultStack.start();
  try {
    return await drill(fault);
  } finally {
    await fault.stop();
  }
}

async function restores(fault: FaultStack): Promise<Figure[]> {
  const figures: Figure[] = [];
  const drill = await RestoreDrill.begin(fault);
  try {
    const { backup, recovery } = drill.seconds;
    figures.push({ title: 'base backup of the running server', value: backup, unit: 's' });
    figures.push({ title: 'recovery of the server to the point', value: recovery, unit: 's' });
    for (const owner of ['admin-api', 'auth', 'member-api'] as const) {
      const value = await drill.restore(owner);
      // Rejects when a copy does not follow.
      await drill.inLine();
      await drill.write(owner);
      await drill.inLine();
      const title = `restore of ${owner}, from its stop to the last step`;
      figures.push({ title, value, unit: 's', at_most: MOST_SECONDS });
    }
  } finally {
    await drill.end();
  }
  return figures;
}

async function natsLoss(fault: FaultStack): Promise<Figure[]> {
  const loss = await NatsLoss.begin(fault);
  try {
    const { service, steps } = await loss.lose();
    await loss.inLine();
    await loss.writeAgain();
    await loss.inLine();
    return [
      { title: 'an empty NATS, until all services are ready', value: service, unit: 's', at_most: MOST_SECONDS },
      { title: 'steps after the loss of NATS', value: steps, unit: 's', at_most: MOST_SECONDS },
    ];
  } finally {
    await loss.end();
  }
}
