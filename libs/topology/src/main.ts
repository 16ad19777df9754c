import { bootstrap } from './bootstrap.js';
import { readSettings } from './connect.js';

/**
 * `node libs/topology/dist/main.js`: creates streams, buckets and consumers, then exits. Kubernetes runs it as a Job
 * before a release and as a CronJob, see docs/operate/messaging.md.
 */
const changes = await bootstrap(readSettings(process.env));
for (const change of changes) process.stdout.write(`${JSON.stringify({ change })}\n`);
process.stdout.write(`${JSON.stringify({ done: true, changes: changes.length })}\n`);
