import { FaultStack } from './fault-stack.ts';
import type { Figure, Proof } from '../long/proof.ts';
import { RestoreDrill } from './restore-drill.ts';

const MOST_SECONDS = 120;

export const restoreProof: Proof = {
  name: 'restore',
  title: 'each database returns to a point in time, and all copies of its data follow',
  run: async () => {
    const fault = await FaultStack.start();
    const figures: Figure[] = [];
    try {
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
    } finally {
      await fault.stop();
    }
    return figures;
  },
};
