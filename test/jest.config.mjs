import { builtModules, wholeSystem } from '@lyceum/testing/jest';
import preset from '../jest.preset.mjs';

export default {
  ...preset,
  rootDir: import.meta.dirname,
  ...builtModules(preset),
  testMatch: ['<rootDir>/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/boundaries/fixtures/'],
  setupFilesAfterEnv: [...preset.setupFilesAfterEnv, '<rootDir>/event-loop.ts'],
  ...wholeSystem(),
};
