import { withDiscriminators } from './discriminators.js';
import type { Json } from './json.js';

const branch = (type: Json, required = ['id', 'type']): Json => ({
  type: 'object',
  properties: { id: { type: 'string' }, type },
  required,
});
const CAT = branch({ const: 'cat' });
const DOGS = branch({ enum: ['dog', 'wolf'] });
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const union = (Other: Json, Pet: Json = { oneOf: [reference('Cat'), reference('Other')] }): Json | undefined =>
  withDiscriminators({ Cat: CAT, Other, Pet })['Pet'];

it.each(['oneOf', 'anyOf'])(
  'names the member that distinguishes the components of %s, with each of its values',
  (of) => {
    const Pet = { [of]: [reference('Cat'), reference('Other')], description: 'A pet' };
    const [cat, other] = ['#/components/schemas/Cat', '#/components/schemas/Other'];
    expect(union(DOGS, Pet)).toEqual({
      ...Pet,
      discriminator: { propertyName: 'type', mapping: { cat, dog: other, wolf: other } },
    });
  },
);

it.each([
  ['a value of two components', branch({ enum: ['dog', 'cat'] })],
  ['a member that can be missing', branch({ enum: ['dog'] }, ['id'])],
  ['a member of any text', branch({ type: 'string' })],
  ['a number', branch({ const: 1 })],
  ['no members', { type: 'object' }],
])('adds none to a union with %s', (_what, other) => {
  expect(union(other)).not.toHaveProperty('discriminator');
});

it.each([
  ['one component', { oneOf: [reference('Cat')] }],
  ['a schema that is no component', { oneOf: [reference('Cat'), reference('Other'), { type: 'null' }] }],
])('adds none to a union of %s', (_what, Pet) => {
  expect(union(DOGS, Pet)).not.toHaveProperty('discriminator');
});

it('leaves other components as they are', () => {
  expect(withDiscriminators({ Cat: CAT })).toEqual({ Cat: CAT });
});
