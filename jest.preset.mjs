import { join } from 'node:path';

/** Jest settings of all packages. swc compiles to CommonJS; Jest loads ESM-only dependencies by require(esm). */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@lyceum/source', 'node', 'require', 'default'] },
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2024',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    '^#src/(.*)\\.js$': '<rootDir>/src/$1',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  // Most suites use real servers, and the machine may be busy. Only a failing test reaches the limit.
  testTimeout: 240_000,
  setupFilesAfterEnv: [join(import.meta.dirname, 'libs/testing/jest/has-assertions.mjs')],
  testSequencer: join(import.meta.dirname, 'libs/testing/jest/longest-first.mjs'),
  maxWorkers: Number(process.env.LYCEUM_TEST_WORKERS ?? 2),
};
