import 'reflect-metadata';
import { courseEvents } from '@lyceum/contracts';
import { EventConsumers } from '../../dist/index.js';
import { start } from './start.mjs';

/** Writes one row for each application of an event, so that a second application shows. */
const app = await start('member-api');
app.get(EventConsumers, { strict: false }).register({
  name: 'courses',
  stream: 'SCHOOL',
  events: [courseEvents],
  async handle(event, manager) {
    await manager.query('INSERT INTO applied (event_id, version) VALUES ($1, $2)', [event.id, event.aggregate_version]);
  },
});
process.stdout.write('reading\n');
