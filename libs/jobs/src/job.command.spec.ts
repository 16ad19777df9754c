import { UsageError } from '@lyceum/platform';
import type { ServiceConfiguration } from '@lyceum/platform';
import { QUEUE } from '../test/words.js';
import { endJobsCommand, jobCommand } from './job.command.js';

/** A command that refuses its arguments reads no setting. */
const config = {} as ServiceConfiguration;
const service = {
  name: 'under-test',
  queues: [QUEUE],
  database: () => {
    throw new Error('A wrong argument opens no database');
  },
};

describe('dead-jobs', () => {
  it.each([[[]], [['lists']], [['retry']], [['retry', 'other']]])('refuses %j as a wrong argument', async (args) => {
    await expect(jobCommand(service).run(config, args)).rejects.toThrow(UsageError);
  });
});

describe('end-jobs', () => {
  it.each([[[]], [['yesterday']], [['9999-01-01T00:00:00Z']]])('refuses %j as a wrong argument', async (args) => {
    await expect(endJobsCommand(service).run(config, args)).rejects.toThrow(UsageError);
  });
});
