// A whole service as a process on the built package, like main.ts of every service.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from '@lyceum/errors';
import { UsageError, runService, serviceEnvironment } from '../dist/index.js';

class FixtureModule {}

await runService({
  name: 'fixture',
  environment: z.object({ ...serviceEnvironment, SECRET: z.string().min(5) }),
  bodyLimit: 1_000,
  module: () => ({ module: FixtureModule }),
  configure: (app) => {
    const http = app.getHttpAdapter().getInstance();
    http.get('/slow', async () => {
      process.stderr.write('slow begins\n');
      // Longer than a shutdown that does not wait for it.
      await sleep(300);
      return { slow: true };
    });
    http.get('/stuck', () => {
      process.stderr.write('stuck begins\n');
      return new Promise(() => undefined);
    });
    http.get('/fault', async () => {
      throw new Error('the inside');
    });
    http.get('/crash', () => {
      setImmediate(() => {
        throw new Error('a fault without a handler');
      });
      return {};
    });
  },
  commands: {
    echo: {
      summary: 'print the arguments',
      run: async (config, args) => {
        process.stdout.write(`${JSON.stringify({ args, secret: config.SECRET.length })}\n`);
      },
    },
    misuse: {
      summary: 'be called wrongly',
      run: async () => {
        throw new UsageError('--a, --b are missing');
      },
    },
    refuse: {
      summary: 'refuse',
      run: async () => {
        throw new ApiError('not_found', 'The thing does not exist');
      },
    },
    fail: {
      summary: 'fail',
      run: async () => {
        throw new Error('the command failed');
      },
    },
  },
});
