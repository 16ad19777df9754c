import { dirname } from 'node:path';
import configuration from './jest.config.mjs';
import { planClients } from './run/foreign-clients.ts';

const { leftOut, line } = planClients(dirname(import.meta.dirname));
process.stderr.write(`${line}\n`);

/** Leaves out the foreign clients when they ran with the same surfaces. */
export default {
  ...configuration,
  testPathIgnorePatterns: [
    ...configuration.testPathIgnorePatterns,
    ...leftOut.map((suite) => `/${suite.replaceAll('.', '\\.')}$`),
  ],
};
