import { readGolden } from './objects.ts';
import { OVERLAYS } from './render.ts';
import { AVAILABILITY_RULES } from './rules/availability.ts';
import { NETWORK_RULES } from './rules/network.ts';
import { OPERATION_RULES } from './rules/operations.ts';
import { POD_RULES } from './rules/pods.ts';
import { REFERENCE_RULES } from './rules/references.ts';
import type { Rule } from './rules/rule.ts';

const RULES: readonly Rule[] = [
  ...POD_RULES,
  ...AVAILABILITY_RULES,
  ...REFERENCE_RULES,
  ...NETWORK_RULES,
  ...OPERATION_RULES,
];

const overlaysOf = ({ dev, prodOnly }: Rule) =>
  OVERLAYS.filter((overlay) => (prodOnly === true ? overlay === 'prod' : overlay !== 'dev' || dev !== false));

describe('the rendered manifests', () => {
  const manifests = new Map(OVERLAYS.map((overlay) => [overlay, readGolden(overlay)] as const));

  it('runs rules with different names', () => {
    expect(RULES.length).toBeGreaterThan(50);
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  it.each(RULES.flatMap((rule) => overlaysOf(rule).map((overlay) => [rule.id, rule.fault, overlay, rule] as const)))(
    'keeps %s: no %s in %s',
    (_id, _fault, overlay, { find }) => {
      expect(find(manifests.get(overlay)!)).toEqual([]);
    },
  );

  it.each(RULES.map((rule) => [rule.id, rule.fault, rule] as const))(
    'finds a planted violation of %s: %s',
    (_id, _fault, { find, plant, spoils }) => {
      const copy = manifests.get('prod')!.copy();
      const faults = find(plant(copy) ?? copy);
      expect(faults.filter((fault) => fault.includes(spoils))).not.toEqual([]);
    },
  );
});
