import { join } from 'node:path';
import { step } from '../../setup/step.mjs';
import { demoFacts, demoTable } from '../demo-facts.js';
import { demoDefinition } from '../demo.js';
import { wholeDemo } from '../demo-whole.js';
import { demoDay, fill, seed, type Preparation } from '../prepare-data.js';
import { StackMemory } from '../stack-memory.js';
import { WORKSPACE } from '../workspace.js';
import { composeEnvironment } from './settings.js';
import type { ServiceSettings } from '../services.js';

/**
 * Makes the demo sites on the port of the edge, unless that was done before, and prints their facts. It reaches the
 * edge at the origins of the sites, so it shares the network of the edge.
 */
export async function makeDemo(settings: ServiceSettings, port: number, size: string): Promise<void> {
  const directory = join(settings.directory, 'demo');
  const preparation: Preparation = {
    directory,
    root: WORKSPACE,
    memory: new StackMemory(join(directory, 'memory.json')),
    identity: (database) => database,
    environment: (service) => composeEnvironment(service, settings),
    step,
  };
  const demo = (size === 'small' ? demoDefinition : wholeDemo)(port, demoDay(preparation));
  const sites = await seed(preparation, demo);
  await fill(preparation, settings.nats, demo, sites);
  process.stdout.write(`\n${demoTable(demoFacts({ sites, services: [] }))}\n`);
}
