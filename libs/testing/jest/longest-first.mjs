import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Jest has this module; the package that depends on it is Jest.
const core = createRequire(createRequire(import.meta.url).resolve('jest-cli')).resolve('@jest/core');
const { default: TestSequencer } = createRequire(core)('@jest/test-sequencer');

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Suites that are long for their package or group, the longest first. */
export const LONGEST = [
  'apps/admin-api/test/collections.spec.ts',
  'apps/admin-api/test/fuzz.spec.ts',
  'apps/admin-api/test/fence.spec.ts',
  'apps/admin-api/test/orders-crowds.spec.ts',
  'apps/auth/test/hostile-forms.spec.ts',
  'libs/messaging/test/consumers.db.spec.ts',
  'test/load/brief.spec.ts',
  'test/faults/scenarios.spec.ts',
  'test/scale/replicas.spec.ts',
  'test/images/installed.spec.ts',
  'test/stack/npm-start.spec.ts',
  'test/compose/play.spec.ts',
  'test/stack/external-servers.spec.ts',
  'test/faults/rolling-restart.spec.ts',
  'test/browser/accessibility.spec.ts',
  'test/browser/reference.spec.ts',
  'test/browser/page-states.spec.ts',
  'test/browser/page-roles.spec.ts',
  'test/browser/mails.spec.ts',
  'test/browser/appearance.spec.ts',
  'test/clients/openapi-linters.spec.ts',
  'test/clients/prism.spec.ts',
  'test/conformance/gateway.spec.ts',
  'test/observability/traces-and-logs.spec.ts',
  'test/story/removed-member.spec.ts',
];

/**
 * Starts the longest suites first, so that no worker runs one alone at the end. Jest knows durations of earlier runs
 * only, and orders the suites of a new clone by the sizes of their files.
 */
export default class LongestFirst extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const places = new Map(LONGEST.map((file, place) => [join(root, file), place]));
    const placeOf = ({ path }) => places.get(path) ?? LONGEST.length;
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
